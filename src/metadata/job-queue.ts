import type { Sql } from '../db/client.ts';

/** Kinds of jobs as the table writes them: count the tokens of a contract, call it, read its supply, fetch a URI. Never renumber. */
export const jobKinds = { count: 1, read: 2, supply: 3, fetch: 4 } as const;
export type JobKind = keyof typeof jobKinds;

/** A job that this worker holds until its lease ends. */
export type Job = {
  contract: number;
  kind: number;
  number: bigint;
  /** Tries that were started, this one included. */
  attempts: number;
  version: number;
  principal: string;
  class: number;
  uri: string | null;
};

export type Taking = {
  kinds: readonly JobKind[];
  /** Names the holder: no two batches have the same. */
  lease: string;
  leaseMs: number;
  limit: number;
  /** Most jobs of one kind of one contract in a batch. */
  perContract: number;
  /** The contract after which to begin. */
  after: number;
};

/** Contracts that are visited for one batch. */
const visited = 256;

/** Jobs, and the contract after which the next batch begins; 0 when the last contract was visited. */
export type Taken = { jobs: Job[]; next: number };

/**
 * Takes due jobs, some of each contract, beginning after a contract: when the next batch begins where this one ended,
 * contracts take turns. Jobs that another process holds are passed over.
 */
export async function takeJobs(sql: Sql, taking: Taking): Promise<Taken> {
  const kinds = taking.kinds.map(kind => jobKinds[kind]);
  type Row = { visited: number; ended: boolean } & Omit<Job, 'number'> & { number: string | null };
  const rows = await sql<Row[]>`
    with recursive turn as (
      select 0 as n, ${taking.after}::int as contract
      union all
      select t.n + 1, (select min(j.contract) from token_jobs j where j.contract > t.contract)
      from turn t
      where t.contract is not null and t.n < ${visited}
    ), picked as (
      select j.contract, j.kind, j.number
      from turn t
      cross join unnest(${kinds}::int[]) k (kind)
      cross join lateral (
        select j.contract, j.kind, j.number
        from token_jobs j
        where j.contract = t.contract and j.kind = k.kind and j.due <= now()
        order by j.due
        limit ${taking.perContract}
        for update skip locked
      ) j
      where t.n > 0
      limit ${taking.limit}
    ), taken as (
      update token_jobs j
      set lease = ${taking.lease}, attempts = j.attempts + 1, due = now() + ${taking.leaseMs} * interval '1 ms'
      from picked p
      where j.contract = p.contract and j.kind = p.kind and j.number = p.number
      returning j.contract, j.kind, j.number, j.attempts, j.version
    )
    select v.visited, v.ended, j.contract, j.kind, j.number, j.attempts, j.version, c.principal, c.class, t.uri
    from (
      select max(t.contract) as visited, bool_or(t.contract is null) as ended from turn t
    ) v
    left join taken j on true
    left join token_contracts c on c.id = j.contract
    left join tokens t on t.contract = j.contract and t.number = j.number and j.kind <> ${jobKinds.count}
    order by j.contract
  `;
  const jobs = rows.flatMap(({ visited, ended, number, ...job }) =>
    number === null ? [] : [{ ...job, number: BigInt(number) }],
  );
  if (jobs.length === taking.limit) return { jobs, next: jobs.at(-1)!.contract };
  return { jobs, next: rows[0]!.ended ? 0 : rows[0]!.visited };
}

/** The turns of contracts in one process. */
export class Turns {
  /** The contract after which the next batch begins. */
  after = 0;
  #found = false;

  /** Notes a batch; true if no contract had a job since the first one. */
  isIdleAfter({ jobs, next }: Taken): boolean {
    this.after = next;
    this.#found ||= jobs.length > 0;
    if (next > 0) return false;
    const idle = !this.#found;
    this.#found = false;
    return idle;
  }
}

/** What happens to a job that is requested while it is in the queue. */
export const requestedAgain = (sql: Sql) => sql`
  set version = token_jobs.version + 1,
    attempts = case when token_jobs.lease is null then 0 else token_jobs.attempts end,
    due = case when token_jobs.lease is null or token_jobs.due <= now() then excluded.due else token_jobs.due end,
    lease = case when token_jobs.due <= now() then null else token_jobs.lease end
`;

/** How a job ended: done, or to be tried again after some time. */
export type JobEnd = Pick<Job, 'contract' | 'kind' | 'number' | 'version'> & { retryMs?: number };

/** Locks those of the jobs that this worker still holds, so that their results may be written; others were taken over. */
export async function holdJobs(sql: Sql, lease: string, ends: readonly JobEnd[]): Promise<Set<string>> {
  const held = await sql<{ contract: number; kind: number; number: string }[]>`
    select j.contract, j.kind, j.number
    from json_to_recordset(${jsonOf(ends)}::text::json) as e (contract int, kind int, number numeric)
    join token_jobs j on j.contract = e.contract and j.kind = e.kind and j.number = e.number
    where j.lease = ${lease}
    order by j.contract, j.kind, j.number
    for update of j
  `;
  return new Set(held.map(keyOf));
}

export const keyOf = ({ contract, kind, number }: { contract: number; kind: number; number: bigint | string }) =>
  `${contract} ${kind} ${number}`;

/** Removes the jobs that are done and were not requested again meanwhile; the others wait. */
export async function endJobs(sql: Sql, lease: string, ends: readonly JobEnd[]): Promise<void> {
  if (ends.length === 0) return;
  const json = jsonOf(ends);
  await sql`
    delete from token_jobs j
    using json_to_recordset(${json}::text::json) as e (contract int, kind int, number numeric, version int, retry_ms float8)
    where j.contract = e.contract and j.kind = e.kind and j.number = e.number and j.lease = ${lease}
      and j.version = e.version and e.retry_ms is null
  `;
  await sql`
    update token_jobs j
    set lease = null,
      attempts = case when j.version = e.version then j.attempts else 0 end,
      due = now() + case when j.version = e.version then coalesce(e.retry_ms, 0) else 0 end * interval '1 ms'
    from json_to_recordset(${json}::text::json) as e (contract int, kind int, number numeric, version int, retry_ms float8)
    where j.contract = e.contract and j.kind = e.kind and j.number = e.number and j.lease = ${lease}
  `;
}

/** Returns jobs that were taken but not tried, such as at a stop: they are due after some time, and the try does not count. */
export async function returnJobs(sql: Sql, lease: string, jobs: readonly Job[], afterMs: number): Promise<void> {
  await sql`
    update token_jobs j
    set lease = null, due = now() + ${afterMs} * interval '1 ms', attempts = j.attempts - 1
    from json_to_recordset(${jsonOf(jobs)}::text::json) as e (contract int, kind int, number numeric)
    where j.contract = e.contract and j.kind = e.kind and j.number = e.number and j.lease = ${lease}
  `;
}

const jsonOf = (ends: readonly JobEnd[]) =>
  JSON.stringify(
    ends.map(({ contract, kind, number, version, retryMs }) => ({
      ...{ contract, kind, number: String(number), version, retry_ms: retryMs ?? null },
    })),
  );

const firstDelayMs = 5_000;
const longestDelayMs = 3_600_000;

/** The pause before the next try, longer after each one and spread by up to a half so that failed jobs do not return together. */
export function backOffMs(attempts: number, random = Math.random): number {
  const delay = Math.min(firstDelayMs * 2 ** Math.min(attempts - 1, 20), longestDelayMs);
  return Math.round(delay * (1 + random() / 2));
}
