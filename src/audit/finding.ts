import type { Sql } from '../db/client.ts';

/** A contradiction in the tables, with its reason where that is known. */
export type Finding = {
  check: string;
  /** Where: a height, an account, a table. */
  subject: string;
  message: string;
  /** Known reason of the finding, if any; a finding without a reason is a fault. */
  reason?: string;
};

/** What every check gets: the range of blocks and facts about the chain. */
export type Context = {
  sql: Sql;
  /** Heights looked at, both included. */
  from: number;
  to: number;
  /** The first block has no known parent and is not at height 1: nothing before it is known. */
  rootMidChain: boolean;
  /** Something is unknown of some blocks, which were fetched from a node because their events never arrived. */
  incompleteBlocks: boolean;
};

/** One accounting rule: reads the tables and returns what breaks it. */
export type Check = { name: string; run(context: Context): Promise<Finding[]> };

/** Most findings of one check; further ones add nothing new. */
export const maxFindings = 50;

export const unknownParts =
  'blocks that were fetched from a node lack some facts: they are checked once their events arrive';

export const midChain = 'the chain in this database begins mid-way: what happened before its first block is unknown';

export const notExecuted =
  'no node executed this block: its id is not the hash of its block hash and consensus hash; what it spends need not exist';
