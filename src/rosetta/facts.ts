import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { typeOfClarity } from '@cairn-stacks/codec/clarity/type';
import { UnknownCodeError } from '@cairn-stacks/codec/error';
import type { Network } from '@cairn-stacks/codec/network';
import { eventCodes, eventKind } from '../chain/event.ts';
import { assetId, movement, principalText } from '../read/events/event-schema.ts';
import type { Position } from '../read/transactions/positions-queries.ts';
import type { BlockLocks } from './operations/block-locks.ts';
import type { Fact } from './operations/operations.ts';
import { printedAct } from './operations/pox-prints.ts';
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

/** The facts of a part of a transaction: its events, and locks that its print ended. */
export async function factsOf(
  position: Position,
  { first, last }: Part,
  movements: Movements,
  locks: BlockLocks,
  { pace, network }: { pace: Pace; network: Network },
): Promise<Fact[]> {
  const { place } = position;
  const events = movements.get(keyOf(position)) ?? [];
  const visible = new Set(events.filter(row => row.kind === eventCodes.stx_lock).map(row => row.event_index));
  const facts = await mapPaced(events, pace, row => ({
    at: row.event_index,
    fact: factOf(row, changeOf(locks, place, row.event_index), network),
  }));
  if (pace.isDue()) await pace.rest();
  for (const [i, lock] of locks.during.entries()) {
    const isInside = lock.place === place && lock.eventIndex >= first && lock.eventIndex <= last;
    if (!isInside || lock.amount !== 0n || visible.has(lock.eventIndex)) continue;
    const fact: Fact = { kind: 'release', account: lock.account, change: locks.changes.events[i]! };
    facts.push({ at: lock.eventIndex, fact });
  }
  return facts.sort((a, b) => a.at - b.at).map(({ fact }) => fact);
}

function changeOf({ during, changes }: BlockLocks, place: number, eventIndex: number): bigint {
  const i = during.findIndex(lock => lock.place === place && lock.eventIndex === eventIndex);
  return changes.events[i] ?? 0n;
}

function factOf(row: StxMovementRow, change: bigint, network: Network): Fact {
  const sender = principalText(row.sender);
  const recipient = principalText(row.recipient);
  const amount = BigInt(row.amount);
  const kind = eventKind(row.kind);
  switch (kind) {
    case 'stx_transfer':
      return { kind: 'transfer', sender, recipient, amount, memo: row.value };
    case 'stx_mint':
      return { kind: 'mint', recipient, amount };
    case 'stx_burn':
      return { kind: 'burn', sender, amount };
    case 'stx_lock': {
      const contract = principalText(row.contract);
      return { kind: 'lock', account: sender, contract, locked: amount, unlockHeight: row.value.toString(), change };
    }
    case 'print': {
      const contract = principalText(row.contract);
      const value = { ...clarityJson(row.value), type: typeIn(row.value) };
      return { kind: 'log', contract, value, act: printedAct(contract, row.value, network) };
    }
    case 'ft_transfer':
    case 'ft_mint':
    case 'ft_burn': {
      const token = { type: 'ft' as const, asset: assetId(row) };
      return { kind: 'token', movement: movement(kind), token, sender, recipient, amount };
    }
    case 'nft_transfer':
    case 'nft_mint':
    case 'nft_burn': {
      const token = { type: 'nft' as const, asset: assetId(row), value: clarityJson(row.value) };
      return { kind: 'token', movement: movement(kind), token, sender, recipient, amount: 1n };
    }
    case 'unknown':
      throw new Error(
        `event ${row.event_index} in block ${row.height} has no public shape: queries leave such events out`,
      );
  }
}

/** The type of a printed value; empty for one that holds a type newer than this program. */
function typeIn(value: Uint8Array): string {
  try {
    return typeOfClarity(value);
  } catch (error) {
    if (error instanceof UnknownCodeError) return '';
    throw error;
  }
}
