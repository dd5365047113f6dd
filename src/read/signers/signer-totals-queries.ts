import type { Sql } from '../../db/client.ts';

/** What a signer did in a cycle or in a part of it; times are Unix milliseconds. */
export type SignerTotalsRow = {
  slot: number;
  accepted: number;
  rejected: number;
  /** Responses to blocks that are canonical. */
  answered: number;
  response_ms: number;
  last_received: number;
  version: string;
};

/** A part of a cycle by the arrival of proposals: from a Unix time in milliseconds up to, not with, another. */
export type ArrivalRange = { from: number; to: number };

const HOUR = 3_600_000;
/** Later than any hour that the table can hold. */
const LAST_HOUR = 2_147_483_647;

/** Whole hours of a range, whose figures are stored, and the remainders before and after, which are counted. */
function splitRange({ from, to }: ArrivalRange) {
  const first = Math.min(Math.ceil(from / HOUR), LAST_HOUR);
  const end = Math.min(Math.floor(to / HOUR), LAST_HOUR);
  if (end <= first) return { hours: [0, 0], before: [from, to], after: [0, 0] } as const;
  const after = end === LAST_HOUR ? ([0, 0] as const) : ([end * HOUR, to] as const);
  return { hours: [first, end], before: [from, first * HOUR], after } as const;
}

/** Proposals of the remainders of a range. */
const edges = (sql: Sql, cycle: number, { before, after }: ReturnType<typeof splitRange>) => sql`
  select p.hash, p.received, p.height
  from signer_proposals p
  where p.cycle = ${cycle} and p.received >= ${before[0]}::bigint and p.received < ${before[1]}::bigint
  union all
  select p.hash, p.received, p.height
  from signer_proposals p
  where p.cycle = ${cycle} and p.received >= ${after[0]}::bigint and p.received < ${after[1]}::bigint
`;

/** The figures of each signer that responded; with `slot`, of that one alone. */
export async function listSignerTotals(
  sql: Sql,
  cycle: number,
  range: ArrivalRange,
  slot?: number,
): Promise<SignerTotalsRow[]> {
  const split = splitRange(range);
  return await sql<SignerTotalsRow[]>`
    select x.slot, sum(x.accepted)::int as accepted, sum(x.rejected)::int as rejected, sum(x.answered)::int as answered,
      sum(x.response_ms)::float8 as response_ms, max(x.last_received)::float8 as last_received,
      coalesce(
        (
          select n.text
          from signer_texts n
          where n.id = (array_agg(x.version order by x.last_received desc, x.version desc))[1]
        ),
        ''
      ) as version
    from (
      select t.slot, t.accepted, t.rejected, t.answered, t.response_ms, t.last_received, t.last_version as version
      from signer_totals t
      where t.cycle = ${cycle} and t.hour >= ${split.hours[0]} and t.hour < ${split.hours[1]}
        ${slot === undefined ? sql`` : sql`and t.slot = ${slot}`}
      union all
      select r.slot, r.accepted::int, (not r.accepted)::int, (b.height is not null)::int, r.received - e.received,
        r.received, r.version
      from (${edges(sql, cycle, split)}) e
      join signer_responses r on r.hash = e.hash and r.parity = ${cycle} % 2
        ${slot === undefined ? sql`` : sql`and r.slot = ${slot}`}
      left join blocks b on b.height = e.height and b.hash = e.hash
    ) x
    group by x.slot
  `;
}

/** Proposals of a cycle in a range, and those that are canonical blocks; `known` is false where the cycle has none at all. */
export async function countProposals(sql: Sql, cycle: number, range: ArrivalRange) {
  const split = splitRange(range);
  const [row] = await sql<{ known: boolean; proposals: number; blocks: number }[]>`
    select exists (select 1 from signer_hours h where h.cycle = ${cycle}) as known,
      coalesce(sum(x.proposals), 0)::int as proposals, coalesce(sum(x.blocks), 0)::int as blocks
    from (
      select h.proposals, h.blocks
      from signer_hours h
      where h.cycle = ${cycle} and h.hour >= ${split.hours[0]} and h.hour < ${split.hours[1]}
      union all
      select 1, (b.height is not null)::int
      from (${edges(sql, cycle, split)}) e
      left join blocks b on b.height = e.height and b.hash = e.hash
    ) x
  `;
  return row!;
}
