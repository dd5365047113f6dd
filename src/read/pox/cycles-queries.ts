import type { Sql } from '../../db/client.ts';
import { stackersOf } from './stackers-queries.ts';

/** A cycle with its signer set, as the block that fixed it reported them. */
export type PoxCycleRow = {
  cycle: number;
  height: number;
  index_hash: Buffer;
  weight: number;
  signers: number;
  stacked: string;
};

export type PoxSignerRow = {
  key: Buffer;
  weight: number;
  stacked: string;
  weight_percent: number;
  stacked_percent: number;
  solo: number;
  pooled: number;
};

/** The newest word on each cycle; the table has one row for each fortnight. */
const cycles = (sql: Sql) => sql`
  select distinct on (c.cycle) c.cycle, c.height, c.weight, c.signers, c.stacked, b.index_hash
  from pox_cycles c
  join blocks b on b.height = c.height
  order by c.cycle desc, c.height desc
`;

/** Newest first. */
export async function listPoxCycles(sql: Sql, limit: number, offset: number) {
  return await sql<(PoxCycleRow & { total: number })[]>`
    select c.cycle, c.height, c.index_hash, c.weight, c.signers, c.stacked, count(*) over ()::int as total
    from (${cycles(sql)}) c
    order by c.cycle desc
    limit ${limit}
    offset ${offset}
  `;
}

export async function findPoxCycle(sql: Sql, cycle: number): Promise<PoxCycleRow | undefined> {
  const [row] = await sql<PoxCycleRow[]>`
    select c.cycle, c.height, c.index_hash, c.weight, c.signers, c.stacked
    from (${cycles(sql)}) c
    where c.cycle = ${cycle}
  `;
  return row;
}

export async function findNewestPoxCycle(sql: Sql): Promise<PoxCycleRow | undefined> {
  const [row] = await listPoxCycles(sql, 1, 0);
  return row;
}

/** Whether a key is in the signer set of a cycle. */
export async function hasPoxSigner(sql: Sql, { cycle, height }: PoxCycleRow, key: Uint8Array): Promise<boolean> {
  const rows = await sql`
    select 1
    from pox_cycle_signers s
    where s.cycle = ${cycle} and s.height = ${height} and s.key = ${key}
  `;
  return rows.length > 0;
}

/** The heaviest first. With `key`, that signer alone. */
export async function listPoxSigners(
  sql: Sql,
  { cycle, height, weight, stacked }: PoxCycleRow,
  { limit, offset, key }: { limit: number; offset: number; key?: Uint8Array },
) {
  return await sql<(PoxSignerRow & { total: number })[]>`
    select s.key, s.weight, s.stacked,
      coalesce(s.weight / nullif(${weight}::float8, 0) * 100, 0) as weight_percent,
      coalesce(s.stacked / nullif(${stacked}::numeric, 0) * 100, 0)::float8 as stacked_percent,
      coalesce(k.solo, 0) as solo,
      coalesce(k.pooled, 0) as pooled,
      count(*) over ()::int as total
    from pox_cycle_signers s
    left join (
      select k.signer_key, count(*) filter (where not k.pooled)::int as solo, count(*) filter (where k.pooled)::int as pooled
      from (${stackersOf(sql, cycle, height)}) k
      group by k.signer_key
    ) k on k.signer_key = s.key
    where s.cycle = ${cycle} and s.height = ${height}
      ${key ? sql`and s.key = ${key}` : sql``}
    order by s.weight desc, s.stacked desc, s.key
    limit ${limit}
    offset ${offset}
  `;
}
