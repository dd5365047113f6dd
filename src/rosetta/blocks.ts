import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { eventCodes } from '../chain/event.ts';
import { payloadIds } from '../chain/transaction.ts';
import type { Sql } from '../db/client.ts';
import type { BlockRow } from '../read/blocks/blocks-queries.ts';
import type { InterfaceStore } from '../read/contracts/interfaces-queries.ts';
import { findMinedTransaction } from '../read/transactions/lookup-queries.ts';
import { findOrphanTransaction } from '../read/transactions/orphan-transactions-queries.ts';
import type { Position } from '../read/transactions/positions-queries.ts';
import { renderTransaction } from '../read/transactions/transaction-schema.ts';
import { listTransactionsOf, type Transaction, withFunctions } from '../read/transactions/transactions-queries.ts';
import { hashOf, identifierOf, parentIdentifierOf, type ShownHash } from './block-identifier.ts';
import { byTransaction, factsOf } from './facts.ts';
import { oneIfLarge } from './large-responses.ts';
import { type BlockLocks, noLocks, readBlockLocks } from './operations/block-locks.ts';
import { type BlockCredits, creditsTransaction, type Fact, isEmpty, transactionOf } from './operations/operations.ts';
import { Pace } from './pace.ts';
import { type BlockFacts, listBlockFacts } from './queries/blocks.ts';
import {
  listMaturedRewards,
  listMovements,
  type MaturedRewardRow,
  type Stretch,
  type StxMovementRow,
} from './queries/stx-movements.ts';
import type { RosettaBlock } from './schemas/block.ts';
import type { RosettaTransaction } from './schemas/rosetta.ts';
import {
  type Bounds,
  firstPart,
  type Part,
  partOf,
  planBlock,
  readPartIdentifier,
  usualBounds,
  wholeTransaction,
} from './transaction-parts.ts';

export type BlockOptions = {
  network: Network;
  compat: boolean;
  blockHash?: ShownHash | undefined;
  /** Undefined where nothing of the interfaces of called contracts is shown. */
  interfaces?: InterfaceStore;
  bounds?: Bounds | undefined;
};

/** Maximum number of events of a transaction that the incumbent shows. */
const COMPAT_EVENTS = 5000;

/**
 * A block with everything that changed a balance in it, and the identifiers of what is too much for one response. The
 * incumbent shows fewer events, but all transactions.
 */
export async function readBlock(
  sql: Sql,
  block: BlockRow,
  options: BlockOptions,
): Promise<{ block: RosettaBlock; others: string[] }> {
  const { height } = block;
  const all = await listTransactionsOf(sql, height);
  const { shown, others } = options.compat ? { shown: all, others: [] } : planBlock(all, boundsOf(options));
  const [ledger, rows, movements] = await oneIfLarge(eventsOf(shown, options), () =>
    Promise.all([
      readLedger(sql, [height], options),
      withFunctions(sql, shown, options.interfaces),
      listMovements(sql, stretchesOf(shown, options), kindsOf(options)),
    ]),
  );
  const { facts, locks, credits } = ledger.get(height)!;
  const visible = byTransaction(movements);
  const identifier = identifierOf(block, options.blockHash);
  const pace = new Pace();
  const transactions: RosettaTransaction[] = [];
  for (const row of rows) {
    const part = shownPart(row, options);
    const moved = await factsOf(row, part, visible, locks, { pace, network: options.network });
    transactions.push(renderRow(row, part, moved, row.place === facts.coinbase ? credits : undefined, options));
  }
  if (facts.coinbase === null && !isEmpty(credits) && !options.compat) {
    transactions.push(creditsTransaction(identifier.hash, credits));
  }
  const shownBlock: RosettaBlock = {
    block_identifier: identifier,
    // The first block is its own parent.
    parent_block_identifier: facts.first ? identifier : parentIdentifierOf(block, options.blockHash),
    timestamp: timestampOf(block),
    transactions,
    metadata: { burn_block_height: block.burn_height },
  };
  return { block: shownBlock, others };
}

/** What a response shows of a transaction, unless a further part of it is asked for. */
const shownPart = (row: { event_count: number }, options: BlockOptions): Part =>
  options.compat ? wholeTransaction : firstPart(row, boundsOf(options));

export const boundsOf = ({ bounds = usualBounds }: BlockOptions): Bounds => bounds;

/** Milliseconds; blocks without their own time have that of their burn block. */
export const timestampOf = ({ time, burn_time }: Pick<BlockRow, 'time' | 'burn_time'>) => (time || burn_time) * 1000;

/** Transactions of any blocks, in the given order: the first part of each, or the part that is given for it. */
export async function readTransactions(
  sql: Sql,
  rows: readonly Transaction[],
  options: BlockOptions,
  asked?: Part,
): Promise<RosettaTransaction[]> {
  const heights = [...new Set(rows.map(row => row.height))];
  const [ledger, movements] = await oneIfLarge(eventsOf(rows, options), () =>
    Promise.all([
      readLedger(sql, heights, options),
      listMovements(sql, stretchesOf(rows, options, asked), kindsOf(options)),
    ]),
  );
  const visible = byTransaction(movements);
  const pace = new Pace();
  const transactions: RosettaTransaction[] = [];
  for (const row of rows) {
    const { facts, locks, credits } = ledger.get(row.height)!;
    // The incumbent shows them only with the coinbases of 2.x.
    const shown = row.place === facts.coinbase && !(options.compat && row.type === payloadIds.nakamoto_coinbase);
    const part = asked ?? shownPart(row, options);
    const moved = await factsOf(row, part, visible, locks, { pace, network: options.network });
    transactions.push(renderRow(row, part, moved, shown ? credits : undefined, options));
  }
  return transactions;
}

/** The part of a canonical transaction that an identifier names; undefined if there is no such part, or `isIn` says no. */
export async function readPart(
  sql: Sql,
  identifier: string,
  options: BlockOptions,
  isIn: (mined: Transaction) => boolean,
): Promise<RosettaTransaction | undefined> {
  const { hash, number } = options.compat ? { hash: identifier, number: 1 } : readPartIdentifier(identifier);
  const mined = await findMinedTransaction(sql, hashOf(hash, 608), options.interfaces);
  if (!mined || !isIn(mined)) return undefined;
  const part = options.compat ? wholeTransaction : partOf(mined, number, boundsOf(options));
  return part && (await readTransactions(sql, [mined], options, part))[0];
}

/** The credits of a block without a coinbase, as a transaction with the hash of the block; undefined if there are none. */
export async function readCredits(
  sql: Sql,
  block: BlockRow,
  options: BlockOptions,
): Promise<RosettaTransaction | undefined> {
  const { facts, credits } = (await readLedger(sql, [block.height], options)).get(block.height)!;
  return facts.coinbase !== null || isEmpty(credits)
    ? undefined
    : creditsTransaction(identifierOf(block, options.blockHash).hash, credits);
}

type Ledger = { facts: BlockFacts; locks: BlockLocks; credits: BlockCredits };

/** Balance changes of some blocks in addition to the events of their transactions, by height. */
async function readLedger(sql: Sql, heights: number[], { compat }: BlockOptions): Promise<Map<number, Ledger>> {
  const [blocks, rewards] = await Promise.all([listBlockFacts(sql, heights), listMaturedRewards(sql, heights)]);
  const locks = await readBlockLocks(sql, blocks, compat);
  return new Map(
    blocks.map(facts => {
      const changed = locks.get(facts.height)!;
      const matured = rewards.filter(({ height }) => height === facts.height);
      const credits = { rewards: matured.map(rewardOf), unlocks: changed.changes.unlocks };
      return [facts.height, { facts, locks: changed, credits }];
    }),
  );
}

const rewardOf = ({ recipient, amount }: MaturedRewardRow) => ({
  recipient: principalFromBytes(recipient),
  amount: BigInt(amount),
});

/** An orphaned block as the incumbent shows it: without its transactions. */
export const orphanBlock = (block: BlockRow): RosettaBlock => ({
  block_identifier: { index: block.height, hash: toHex(block.hash) },
  parent_block_identifier: { index: block.height - 1, hash: toHex(block.parent_hash) },
  timestamp: timestampOf(block),
  transactions: [],
  metadata: { burn_block_height: block.burn_height },
});

/** An orphaned transaction as the incumbent shows it: as if it were canonical. */
export async function readOrphan(
  sql: Sql,
  id: Uint8Array,
  options: BlockOptions,
): Promise<RosettaTransaction | undefined> {
  const found = await findOrphanTransaction(sql, id, { offset: 0, limit: COMPAT_EVENTS });
  if (!found) return undefined;
  const { transaction, events } = found;
  const movements = byTransaction(events.filter(isShown));
  const facts = await factsOf(transaction, wholeTransaction, movements, noLocks, {
    pace: new Pace(),
    network: options.network,
  });
  return renderRow(transaction, wholeTransaction, facts, undefined, options);
}

/** The incumbent omits the events of the first block, and those beyond a limit. */
const isShown = ({ kind, height, event_index }: Pick<StxMovementRow, 'kind' | 'height' | 'event_index'>) =>
  kind <= eventCodes.stx_lock && height !== 1 && event_index < COMPAT_EVENTS;

/** The incumbent shows what happened to STX, and nothing else. */
const kindsOf = ({ compat }: BlockOptions) => (compat ? 'stx' : 'all');

/** The events that a response shows of some transactions. */
function stretchesOf(
  rows: readonly (Position & { event_count: number })[],
  options: BlockOptions,
  asked?: Part,
): Stretch[] {
  if (!options.compat) {
    return rows.map(row => {
      const { first, last } = asked ?? shownPart(row, options);
      return { height: row.height, place: row.place, first, last };
    });
  }
  const shown = rows.filter(({ height }) => height !== 1);
  return shown.map(({ height, place }) => ({ height, place, first: 0, last: COMPAT_EVENTS - 1 }));
}

/** The number of events that a response shows of some transactions. */
const eventsOf = (rows: readonly (Position & { event_count: number })[], options: BlockOptions): number =>
  rows
    .filter(({ height }) => !options.compat || height !== 1)
    .reduce(
      (sum, row) => sum + Math.min(row.event_count, options.compat ? COMPAT_EVENTS : boundsOf(options).ofPart),
      0,
    );

function renderRow(
  row: Transaction,
  part: Part,
  facts: Fact[],
  credits: BlockCredits | undefined,
  options: BlockOptions,
): RosettaTransaction {
  const source = { ...renderTransaction(row), result: row.result };
  return transactionOf(source, { ...options, facts, part, credits });
}
