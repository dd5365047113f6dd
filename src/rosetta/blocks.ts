import { eventCodes } from '../chain/event.ts';
import { payloadIds } from '../chain/transaction.ts';
import { principalFromBytes } from '../codec/address/principal.ts';
import { toHex } from '../codec/hex.ts';
import type { Sql } from '../db/client.ts';
import type { Network } from '../network.ts';
import type { BlockRow } from '../read/blocks/blocks-queries.ts';
import type { InterfaceStore } from '../read/contracts/interfaces-queries.ts';
import { findOrphanTransaction } from '../read/transactions/orphan-transactions-queries.ts';
import type { Position } from '../read/transactions/positions-queries.ts';
import { renderTransaction } from '../read/transactions/transaction-schema.ts';
import { type Transaction, withFunctions } from '../read/transactions/transactions-queries.ts';
import { eventsOf, oneIfLarge } from './large-responses.ts';
import { type BlockLocks, noLocks, readBlockLocks } from './operations/block-locks.ts';
import {
  type BlockCredits,
  creditsTransaction,
  isEmpty,
  type StxFact,
  transactionOf,
} from './operations/operations.ts';
import { mapPaced, Pace } from './pace.ts';
import { type BlockFacts, listBlockFacts, listTransactionsOf } from './queries/blocks.ts';
import {
  listBlockMovements,
  listMaturedRewards,
  listMovementsAt,
  type MaturedRewardRow,
  type StxMovementRow,
} from './queries/stx-movements.ts';
import type { RosettaBlock } from './schemas/block.ts';
import type { RosettaTransaction } from './schemas/rosetta.ts';

export type BlockOptions = {
  network: Network;
  compat: boolean;
  /** Undefined where nothing of the interfaces of called contracts is shown. */
  interfaces?: InterfaceStore;
};

/** Maximum number of events of a transaction that the incumbent shows. */
const COMPAT_EVENTS = 5000;

/** A complete block with everything that changed a balance in it. */
export async function readBlock(sql: Sql, block: BlockRow, options: BlockOptions): Promise<RosettaBlock> {
  const { height } = block;
  const found = await listTransactionsOf(sql, height);
  const [ledger, rows, movements] = await oneIfLarge(eventsOf(found), () =>
    Promise.all([
      readLedger(sql, [height], options),
      withFunctions(sql, found, options.interfaces),
      listBlockMovements(sql, height),
    ]),
  );
  const { facts, locks, credits } = ledger.get(height)!;
  const visible = shownMovements(movements, options);
  const identifier = { index: height, hash: toHex(block.hash) };
  const pace = new Pace();
  const transactions: RosettaTransaction[] = [];
  for (const row of rows) {
    const moved = await factsOf(row, visible, locks, pace);
    transactions.push(renderRow(row, moved, row.place === facts.coinbase ? credits : undefined, options));
  }
  if (facts.coinbase === null && !isEmpty(credits) && !options.compat) {
    transactions.push(creditsTransaction(identifier.hash, credits));
  }
  return {
    block_identifier: identifier,
    // The first block is its own parent.
    parent_block_identifier: facts.first ? identifier : { index: height - 1, hash: toHex(block.parent_hash) },
    timestamp: timestampOf(block),
    transactions,
    metadata: { burn_block_height: block.burn_height },
  };
}

/** Milliseconds; blocks without their own time have that of their burn block. */
export const timestampOf = ({ time, burn_time }: Pick<BlockRow, 'time' | 'burn_time'>) => (time || burn_time) * 1000;

/** Transactions of any blocks, in the given order. */
export async function readTransactions(
  sql: Sql,
  rows: readonly Transaction[],
  options: BlockOptions,
): Promise<RosettaTransaction[]> {
  const heights = [...new Set(rows.map(row => row.height))];
  const [ledger, movements] = await oneIfLarge(eventsOf(rows), () =>
    Promise.all([readLedger(sql, heights, options), listMovementsAt(sql, rows)]),
  );
  const visible = shownMovements(movements, options);
  const pace = new Pace();
  const transactions: RosettaTransaction[] = [];
  for (const row of rows) {
    const { facts, locks, credits } = ledger.get(row.height)!;
    // The incumbent shows them only with the coinbases of 2.x.
    const shown = row.place === facts.coinbase && !(options.compat && row.type === payloadIds.nakamoto_coinbase);
    const moved = await factsOf(row, visible, locks, pace);
    transactions.push(renderRow(row, moved, shown ? credits : undefined, options));
  }
  return transactions;
}

/** The credits of a block without a coinbase, as a transaction with the hash of the block; undefined if there are none. */
export async function readCredits(
  sql: Sql,
  block: BlockRow,
  options: BlockOptions,
): Promise<RosettaTransaction | undefined> {
  const { facts, credits } = (await readLedger(sql, [block.height], options)).get(block.height)!;
  return facts.coinbase !== null || isEmpty(credits) ? undefined : creditsTransaction(toHex(block.hash), credits);
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
  const movements = shownMovements(
    events.filter(({ kind }) => kind <= eventCodes.stx_lock),
    options,
  );
  return renderRow(transaction, await factsOf(transaction, movements, noLocks, new Pace()), undefined, options);
}

function renderRow(
  row: Transaction,
  facts: StxFact[],
  credits: BlockCredits | undefined,
  options: BlockOptions,
): RosettaTransaction {
  const source = { ...renderTransaction(row), result: row.result };
  return transactionOf(source, { ...options, facts, credits });
}

/** The incumbent omits the events of the first block, and those beyond a limit. */
function shownMovements(rows: StxMovementRow[], { compat }: BlockOptions): Movements {
  const shown = compat ? rows.filter(({ height, event_index }) => height !== 1 && event_index < COMPAT_EVENTS) : rows;
  const movements: Movements = new Map();
  for (const row of shown) {
    const key = keyOf(row);
    const known = movements.get(key);
    if (known) known.push(row);
    else movements.set(key, [row]);
  }
  return movements;
}

/** Events by the transaction they belong to. */
type Movements = Map<string, StxMovementRow[]>;

const keyOf = ({ height, place }: Position) => `${height}.${place}`;

/** The STX facts of one transaction: its events, and locks that its print ended. */
async function factsOf(position: Position, movements: Movements, locks: BlockLocks, pace: Pace): Promise<StxFact[]> {
  const { place } = position;
  const events = movements.get(keyOf(position)) ?? [];
  const visible = new Set(events.map(row => row.event_index));
  const facts = await mapPaced(events, pace, row => ({
    at: row.event_index,
    fact: factOf(row, changeOf(locks, place, row.event_index)),
  }));
  if (pace.isDue()) await pace.rest();
  for (const [i, lock] of locks.during.entries()) {
    if (lock.place !== place || lock.amount !== 0n || visible.has(lock.eventIndex)) continue;
    const fact: StxFact = { kind: 'release', account: lock.account, change: locks.changes.events[i]! };
    facts.push({ at: lock.eventIndex, fact });
  }
  return facts.sort((a, b) => a.at - b.at).map(({ fact }) => fact);
}

function changeOf({ during, changes }: BlockLocks, place: number, eventIndex: number): bigint {
  const i = during.findIndex(lock => lock.place === place && lock.eventIndex === eventIndex);
  return changes.events[i] ?? 0n;
}

function factOf(row: StxMovementRow, change: bigint): StxFact {
  const sender = row.sender === null ? '' : principalFromBytes(row.sender);
  const recipient = row.recipient === null ? '' : principalFromBytes(row.recipient);
  const amount = BigInt(row.amount);
  switch (row.kind) {
    case eventCodes.stx_transfer:
      return { kind: 'transfer', sender, recipient, amount, memo: row.value };
    case eventCodes.stx_mint:
      return { kind: 'mint', recipient, amount };
    case eventCodes.stx_burn:
      return { kind: 'burn', sender, amount };
    default:
      return { kind: 'lock', account: sender, locked: amount, unlockHeight: row.value.toString(), change };
  }
}
