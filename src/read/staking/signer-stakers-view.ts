import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { cycleAt } from '../../chain/pox/geometry.ts';
import type { Reader } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { cutList, startOf } from '../pages/cursor-list-schema.ts';
import { renderStakerPosition, type StakerPosition } from './signer-staker-schema.ts';
import { type LockRow, listLocks, listStakersOfSigner } from './signer-stakers-queries.ts';
import {
  type CycleClock,
  readStakerHistories,
  type Span,
  type StakerHistory,
  satsLeft,
} from './staker-history-view.ts';
import { findStakerKey } from './staker-terms-queries.ts';

type Page = { limit: number; cursor: string | undefined };

/** The stakers of a signer in a cycle, or with no cycle in any, ordered by principal, each with its position. */
export const listStakerPositions = (
  pool: Reader,
  signer: Uint8Array,
  cycle: number | undefined,
  { limit, cursor }: Page,
  clock: CycleClock,
) =>
  inSnapshot(pool, async sql => {
    const rows = (await listStakersOfSigner(sql, signer, cycle))
      .map(({ id, staker }) => ({ id, staker: principalFromBytes(staker) }))
      .sort((a, b) => (a.staker < b.staker ? -1 : 1));
    const start = startOf(rows, cursor, cursor => row => row.staker >= cursor);
    const shown = rows.slice(start, start + limit).map(({ id }) => id);
    const histories = await readStakerHistories(sql, shown, clock);
    const key = await findStakerKey(sql, signer);
    const positions = new Map(shown.map(id => [id, positionOf(histories.get(id)!, key!, cycle, clock)]));
    const locks = await listLocks(
      sql,
      [...positions.values()].map(({ span }) => span.term.lock),
    );
    const lockOf = ({ term: { lock } }: Span): LockRow =>
      locks.find(row => row.height === lock.height && row.place === lock.place && row.event_index === lock.index)!;
    return cutList(
      rows,
      { start, limit },
      {
        cursorOf: row => row.staker,
        render: ({ id, staker }) => {
          const position = positions.get(id)!;
          return renderStakerPosition(staker, position, lockOf(position.span));
        },
      },
    );
  });

/** The position of a staker with a signer in a cycle, or the newest one. */
function positionOf(
  { spans, rewards, exits }: StakerHistory,
  signer: number,
  cycle: number | undefined,
  { geometry, burnTip }: CycleClock,
): StakerPosition {
  const isWanted = ({ term, first, end }: Span) =>
    term.signer === signer && (cycle === undefined || (first <= cycle && cycle < end));
  const at = spans.findLastIndex(isWanted);
  const span = spans[at]!;
  const { term } = span;
  // Updates with the same signer go on with the same position.
  let from = at;
  while (isSame(spans[from - 1], spans[from]!)) from--;
  let to = at;
  while (isSame(spans[to], spans[to + 1])) to++;
  const present = cycleAt(geometry, burnTip);
  const [first, end] = [spans[from]!.first, spans[to]!.end];
  const own = rewards.filter(row => row.signer === signer);
  return {
    span: { ...span, unlockCycle: spans[to]!.unlockCycle, unlockHeight: spans[to]!.unlockHeight },
    ...{ first, last: end - 1, isActive: first <= present && present < end },
    sats: satsLeft(term, exits),
    unclaimed: own.reduce((sum, row) => sum + row.due, 0n),
  };
}

const isSame = (a: Span | undefined, b: Span | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.end === b.first &&
  a.term.signer === b.term.signer &&
  a.term.bond === b.term.bond &&
  a.term.startCycle === b.term.startCycle;
