import type { Sql } from '../../db/client.ts';

/** Figures over the newest proposals; times in seconds. */
type ProposalGauges = {
  pending_oldest: number | null;
  pending_newest: number | null;
  periods: { period: number; acceptance: number; push_seconds: number | null }[];
};

/** Responses of a signer of the newest cycle to the newest proposals, by their numbers. */
type SignerGaugeRow = {
  key: Buffer;
  weight: number;
  period: number;
  proposals: number;
  accepted: number;
  rejected: number;
};

/** Numbers of newest proposals that gauges look at; each costs a row for each signer. */
const periods = [5, 10, 25, 100] as const;
const newest = Math.max(...periods);

const recent = (sql: Sql) => sql`
  select p.hash, p.cycle, p.height, p.received, row_number() over (order by p.received desc, p.hash desc) as n
  from (select p.* from signer_proposals p order by p.received desc, p.hash desc limit ${newest}) p
`;

const periodRows = (sql: Sql) => sql`(values (5), (10), (25), (100)) as n (period)`;

export async function findProposalGauges(sql: Sql): Promise<ProposalGauges> {
  const rows = await sql<
    {
      period: number;
      acceptance: number | null;
      push_seconds: number | null;
      oldest: number | null;
      newest: number | null;
    }[]
  >`
    with recent as (
      select r.n, r.received, u.received as pushed, r.height > f.height and u.hash is null as pending,
        u.hash is not null or coalesce(b.hash = r.hash, false) as accepted
      from (${recent(sql)}) r
      cross join fold_position f
      left join signer_pushes u on u.hash = r.hash
      left join blocks b on b.height = r.height
    )
    select n.period, avg(r.accepted::int)::float8 as acceptance,
      (avg(r.pushed - r.received) / 1000)::float8 as push_seconds,
      extract(epoch from now())::float8 - min(r.received) filter (where r.pending)::float8 / 1000 as oldest,
      extract(epoch from now())::float8 - max(r.received) filter (where r.pending)::float8 / 1000 as newest
    from ${periodRows(sql)}
    left join recent r on r.n <= n.period
    group by n.period
    order by n.period
  `;
  const widest = rows.at(-1);
  return {
    pending_oldest: widest?.oldest ?? null,
    pending_newest: widest?.newest ?? null,
    periods: rows.flatMap(({ period, acceptance, push_seconds }) =>
      acceptance === null ? [] : [{ period, acceptance, push_seconds }],
    ),
  };
}

export async function listSignerGauges(sql: Sql): Promise<SignerGaugeRow[]> {
  return await sql<SignerGaugeRow[]>`
    with recent as (${recent(sql)}),
    current as (
      select c.cycle, c.height
      from pox_cycles c
      where c.cycle = (select r.cycle from recent r where r.n = 1)
      order by c.height desc
      limit 1
    ), signers as (
      select s.key, s.weight, row_number() over (order by s.key) - 1 as slot
      from current c
      join pox_cycle_signers s on s.cycle = c.cycle and s.height = c.height
    ), responses as (
      select r.n, s.slot, s.accepted
      from recent r
      join current c on c.cycle = r.cycle
      join signer_responses s on s.hash = r.hash and s.parity = r.cycle % 2
    )
    select s.key, s.weight, n.period,
      (select count(*)::int from recent r join current c on c.cycle = r.cycle where r.n <= n.period) as proposals,
      count(r.n) filter (where r.accepted)::int as accepted, count(r.n) filter (where not r.accepted)::int as rejected
    from signers s
    cross join ${periodRows(sql)}
    left join responses r on r.slot = s.slot and r.n <= n.period
    group by s.key, s.weight, n.period
  `;
}
