import { positionCauses } from '../../chain/pox/staking-print.ts';
import type { PrintPlace } from '../../chain/pox/staking-term.ts';
import { arrayLiteral, constant, type Sql } from '../../db/client.ts';

/** How bitcoin leaves a bond before its end. */
const exits = [positionCauses['unstake-sbtc'], positionCauses['announce-l1-early-exit']];

/** A term of a staker, and the print that began it. */
export type TermRow = PrintPlace & {
  staker: number;
  signer: number;
  signerName: Buffer;
  bond: number;
  firstCycle: number;
  endCycle: number;
  startCycle: number;
  unlockHeight: number;
  lock: PrintPlace;
  stx: bigint;
  sats: bigint;
};

/** Bitcoin that left a bond before its end, and what the staker has in the bond from then on. */
export type ExitRow = PrintPlace & { staker: number; bond: number; sats: bigint; burnHeight: number };

/** The key of a principal; undefined where the chain never saw it. */
export async function findStakerKey(sql: Sql, staker: Uint8Array): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`select p.id from principals p where p.name = ${staker}`;
  return row?.id;
}

/** The terms of stakers in the order of the chain. */
export async function listTerms(sql: Sql, stakers: readonly number[]): Promise<TermRow[]> {
  type Row = Record<'height' | 'place' | 'event_index' | 'staker' | 'signer' | 'bond', number> &
    Record<'first_cycle' | 'end_cycle' | 'start_cycle' | 'unlock_height', number> &
    Record<'lock_height' | 'lock_place' | 'lock_index', number> & { name: Buffer; stx: string; sats: string };
  const rows = await sql<Row[]>`
    select t.height, t.place, t.event_index, t.staker, t.signer, coalesce(p.name, '') as name, t.bond, t.first_cycle, t.end_cycle,
      t.start_cycle, t.unlock_height, t.lock_height, t.lock_place, t.lock_index, t.stx, t.sats
    from staking_terms t
    left join principals p on p.id = t.signer and t.signer > 0
    where t.staker = any (${arrayLiteral(stakers)}::int[])
    order by t.height, t.place, t.event_index
  `;
  return rows.map(row => ({
    ...{ height: row.height, place: row.place, index: row.event_index },
    ...{ staker: row.staker, signer: row.signer, signerName: row.name, bond: row.bond },
    ...{ firstCycle: row.first_cycle, endCycle: row.end_cycle, startCycle: row.start_cycle },
    unlockHeight: row.unlock_height,
    lock: { height: row.lock_height, place: row.lock_place, index: row.lock_index },
    ...{ stx: BigInt(row.stx), sats: BigInt(row.sats) },
  }));
}

/** What left these bonds before their ends, in the order of the chain. */
export async function listExits(sql: Sql, bonds: readonly number[]): Promise<ExitRow[]> {
  type Row = Record<'height' | 'place' | 'event_index' | 'staker' | 'bond' | 'burn_height', number> & { sats: string };
  const rows = await sql<Row[]>`
    select s.height, s.place, s.event_index, s.staker, s.bond, s.sats, b.burn_height
    from staking_positions s
    join blocks b on b.height = s.height
    where s.bond = any (${arrayLiteral(bonds)}::int[]) and s.cause in (${constant(sql, ...exits)}) and s.sats is not null
    order by s.height, s.place, s.event_index
  `;
  return rows.map(({ event_index: index, burn_height: burnHeight, sats, ...row }) => ({
    ...row,
    ...{ index, burnHeight, sats: BigInt(sats) },
  }));
}
