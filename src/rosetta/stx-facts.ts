import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { eventCodes } from '../chain/event.ts';
import type { Position } from '../read/transactions/positions-queries.ts';
import type { BlockLocks } from './operations/block-locks.ts';
import type { StxFact } from './operations/operations.ts';
import { mapPaced, type Pace } from './pace.ts';
import type { StxMovementRow } from './queries/stx-movements.ts';
import type { Part } from './transaction-parts.ts';

/** Events by the transaction they belong to. */
export type Movements = Map<string, StxMovementRow[]>;

export function byTransaction(rows: readonly StxMovementRow[]): Movements {
  const movements: Movements = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    const known = movements.get(key);
    if (known) known.push(row);
    else movements.set(key, [row]);
  }
  return movements;
}

const keyOf = ({ height, place }: Position) => `${height}.${place}`;

/** The STX facts of a part of a transaction: its events, and locks that its print ended. */
export async function factsOf(
  position: Position,
  { first, last }: Part,
  movements: Movements,
  locks: BlockLocks,
  pace: Pace,
): Promise<StxFact[]> {
  const { place } = position;
  const events = movements.get(keyOf(position)) ?? [];
  const visible = new Set(events.map(row => row.event_index));
  const facts = await mapPaced(events, pace, row => ({
    at: row.event_index,
    fact: factOf(row, changeOf(locks, place, row.event_index)),
  }));
  if (pace.isDue()) await pace.rest();
  for (const [i, lock] of locks.during.entries()) {
    const isInside = lock.place === place && lock.eventIndex >= first && lock.eventIndex <= last;
    if (!isInside || lock.amount !== 0n || visible.has(lock.eventIndex)) continue;
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
