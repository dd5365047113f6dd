import type { Sql } from '../db/client.ts';

/** Something the tables say that cannot be true, or that has a known reason. */
export type Finding = {
  check: string;
  /** Where: a height, an account, a table. */
  subject: string;
  message: string;
  /** Why it is as it is, where that is known; a finding without a reason is a fault. */
  reason?: string;
};

/** What every check knows of the chain. */
export type Context = {
  sql: Sql;
  /** Heights looked at, both included. */
  from: number;
  to: number;
  /** The first block has no known parent and does not stand at height 1: nothing before it is known. */
  rootMidChain: boolean;
  /** Something is unknown of some blocks, which were asked of a node because their events never came. */
  incompleteBlocks: boolean;
};

/** One rule of the books: looks, and tells what breaks it. */
export type Check = { name: string; run(context: Context): Promise<Finding[]> };

/** Findings of one check beyond this say nothing new. */
export const mostFindings = 50;

export const unknownParts =
  'blocks that were asked of a node do not tell all that happened in them: it counts once their events come';

export const midChain = 'the chain in this database begins mid-way: what happened before its first block is unknown';

export const notExecuted =
  'no node executed this block: its id is not the hash of its block hash and consensus hash; what it spends need not exist';
