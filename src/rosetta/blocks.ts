import { eventCodes } from '../chain/event.ts';
import { payloadIds } from '../chain/transaction.ts';
import { toHex } from '../codec/hex.ts';
import { principalFromBytes } from '../codec/principal.ts';
import type { Sql } from '../db/client.ts';
import type { Network } from '../network.ts';
import type { BlockRow } from '../queries/blocks.ts';
import { type LockRow, listLocksBefore, listLocksEnding, listLocksOf } from '../queries/lock-changes.ts';
import { findOrphanTransaction } from '../queries/orphan-transactions.ts';
import { type BlockFacts, findBlockFacts, listTransactionsOf } from '../queries/rosetta-blocks.ts';
import { listMaturedRewards, listStxMovements, type StxMovementRow } from '../queries/stx-movements.ts';
import { type Transaction, withFunctions } from '../queries/transactions.ts';
import type { RosettaTransaction } from '../schemas/rosetta.ts';
import type { RosettaBlock } from '../schemas/rosetta-block.ts';
import { renderTransaction } from '../schemas/transaction.ts';
import { compatUnlocks, type Lock, type LockChanges, lockChanges } from './lock-changes.ts';
import { type BlockCredits, creditsTransaction, isEmpty, type StxFact, transactionOf } from './operations.ts';

export type BlockOptions = { network: Network; compat: boolean };

/** As many events of a transaction as the incumbent shows. */
const COMPAT_EVENTS = 5000;

/** A whole block with everything that changed a balance in it. */
export async function readBlock(sql: Sql, block: BlockRow, options: BlockOptions): Promise<RosettaBlock> {
  const facts = await findBlockFacts(sql, block.height);
  const [rows, movements, changes, rewards] = await Promise.all([
    listTransactionsOf(sql, block.height).then(found => withFunctions(sql, found)),
    movementsOf(sql, block.height, options),
    readLockChanges(sql, block, facts, options),
    listMaturedRewards(sql, block.height),
  ]);
  const credits = creditsOf(rewards, changes);
  const coinbase = rows.find(isCoinbase);
  const transactions = rows.map(row =>
    renderRow(row, factsOf(row, movements, changes), row === coinbase ? credits : undefined, options),
  );
  if (!coinbase && !isEmpty(credits) && !options.compat) {
    transactions.push(creditsTransaction(toHex(block.hash), credits));
  }
  return {
    block_identifier: { index: block.height, hash: toHex(block.hash) },
    // The first block is its own parent.
    parent_block_identifier: facts.first
      ? { index: block.height, hash: toHex(block.hash) }
      : { index: block.height - 1, hash: toHex(block.parent_hash) },
    timestamp: timestampOf(block),
    transactions,
    metadata: { burn_block_height: block.burn_height },
  };
}

/** Milliseconds; blocks without a time of their own have that of their burn block. */
export const timestampOf = ({ time, burn_time }: Pick<BlockRow, 'time' | 'burn_time'>) => (time || burn_time) * 1000;

/** A transaction of a block, as the block shows it. */
export async function readTransaction(
  sql: Sql,
  transaction: Transaction,
  block: BlockRow,
  options: BlockOptions,
): Promise<RosettaTransaction> {
  const { height, place } = transaction;
  const [movements, changes, rewards, first] = await Promise.all([
    movementsOf(sql, height, options, place),
    findBlockFacts(sql, height).then(facts => readLockChanges(sql, block, facts, options)),
    isCoinbase(transaction) ? listMaturedRewards(sql, height) : [],
    isCoinbase(transaction) ? listTransactionsOf(sql, height).then(rows => rows.find(isCoinbase)?.place) : undefined,
  ]);
  // The incumbent shows them with the coinbases of 2.x alone.
  const shown = first === place && !(options.compat && transaction.type === payloadIds.nakamoto_coinbase);
  const credits = shown ? creditsOf(rewards, changes) : undefined;
  return renderRow(transaction, factsOf(transaction, movements, changes), credits, options);
}

/** What a block without a coinbase gives, as a transaction under the hash of the block; undefined when nothing. */
export async function readCredits(
  sql: Sql,
  block: BlockRow,
  options: BlockOptions,
): Promise<RosettaTransaction | undefined> {
  const [facts, rows, rewards] = await Promise.all([
    findBlockFacts(sql, block.height),
    listTransactionsOf(sql, block.height),
    listMaturedRewards(sql, block.height),
  ]);
  if (rows.some(isCoinbase)) return undefined;
  const credits = creditsOf(rewards, await readLockChanges(sql, block, facts, options));
  return isEmpty(credits) ? undefined : creditsTransaction(toHex(block.hash), credits);
}

/** A block that a fork took back, as the incumbent shows it: without its transactions. */
export const orphanBlock = (block: BlockRow): RosettaBlock => ({
  block_identifier: { index: block.height, hash: toHex(block.hash) },
  parent_block_identifier: { index: block.height - 1, hash: toHex(block.parent_hash) },
  timestamp: timestampOf(block),
  transactions: [],
  metadata: { burn_block_height: block.burn_height },
});

/** A transaction that a fork took back, as the incumbent shows it: as if it still counted. */
export async function readOrphan(
  sql: Sql,
  id: Uint8Array,
  options: BlockOptions,
): Promise<RosettaTransaction | undefined> {
  const found = await findOrphanTransaction(sql, id, { offset: 0, limit: COMPAT_EVENTS });
  if (!found) return undefined;
  const movements = found.events.filter(({ kind }) => kind <= eventCodes.stx_lock);
  return renderRow(found.transaction, factsOf({ place: 0 }, movements, noLocks), undefined, options);
}

const noLocks: BlockLocks = { during: [], changes: { events: [], unlocks: [] } };

const COINBASES: ReadonlySet<number> = new Set([
  payloadIds.coinbase,
  payloadIds.coinbase_to_alt_recipient,
  payloadIds.nakamoto_coinbase,
]);

const isCoinbase = ({ type }: { type: number }) => COINBASES.has(type);

function renderRow(
  row: Transaction,
  facts: StxFact[],
  credits: BlockCredits | undefined,
  options: BlockOptions,
): RosettaTransaction {
  const source = { ...renderTransaction(row), result: row.result };
  return transactionOf(source, { ...options, facts, credits });
}

/** The incumbent leaves the events of the first block out, and those beyond a limit. */
async function movementsOf(sql: Sql, height: number, { compat }: BlockOptions, place?: number) {
  if (!compat) return await listStxMovements(sql, height, place);
  if (height === 1) return [];
  const rows = await listStxMovements(sql, height, place);
  return rows.filter(row => row.event_index < COMPAT_EVENTS);
}

type PlacedLock = Lock & { place: number; eventIndex: number };

const lockOf = (row: LockRow): PlacedLock => ({
  account: principalFromBytes(row.principal),
  contract: principalFromBytes(row.contract),
  amount: BigInt(row.amount),
  unlockHeight: row.unlock_height,
  place: row.place,
  eventIndex: row.event_index,
});

type BlockLocks = { during: PlacedLock[]; changes: LockChanges };

async function readLockChanges(
  sql: Sql,
  block: BlockRow,
  facts: BlockFacts,
  options: BlockOptions,
): Promise<BlockLocks> {
  const { height, burn_height: burnHeight } = block;
  const { burnHeightBefore, forcedBefore, forced } = facts;
  const low = Math.min(burnHeight, burnHeightBefore);
  const high = Math.max(burnHeight, burnHeightBefore);
  // The rules disagree by one burn block.
  const ended = forced.some((at, i) => at !== forcedBefore[i] || (Number(at) >= low && Number(at) <= high));
  const span = { height, burnHeight, burnHeightBefore, forced: ended };
  const [before, during, ending] = await Promise.all([
    listLocksBefore(sql, span),
    listLocksOf(sql, height),
    options.compat ? listLocksEnding(sql, span) : [],
  ]);
  const placed = during.map(lockOf);
  const question = {
    before: before.map(lockOf),
    during: placed,
    from: { burnHeight: burnHeightBefore, forcedHeights: forcedBefore },
    to: { burnHeight, forcedHeights: forced },
  };
  const { events, unlocks } = lockChanges({ ...question, rule: 'node' });
  const told = options.compat ? compatUnlocks(ending.map(lockOf), question) : unlocks;
  return { during: placed, changes: { events, unlocks: told } };
}

const creditsOf = (rewards: { recipient: Buffer; amount: string }[], { changes }: BlockLocks): BlockCredits => ({
  rewards: rewards.map(({ recipient, amount }) => ({
    recipient: principalFromBytes(recipient),
    amount: BigInt(amount),
  })),
  unlocks: changes.unlocks,
});

/** The STX facts of one transaction: its events, and locks that a print of it ended. */
function factsOf({ place }: { place: number }, movements: StxMovementRow[], locks: BlockLocks): StxFact[] {
  const events = movements.filter(row => row.place === place);
  const told = new Set(events.map(row => row.event_index));
  const facts = events.map(row => ({
    at: row.event_index,
    fact: factOf(row, changeOf(locks, place, row.event_index)),
  }));
  for (const [i, lock] of locks.during.entries()) {
    if (lock.place !== place || lock.amount !== 0n || told.has(lock.eventIndex)) continue;
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
