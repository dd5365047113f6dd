import type { Pool, Sql } from '../db/client.ts';
import type { OutputFacts, OutputJob } from './source.ts';

export type Taking = { source: number; lease: string; leaseMs: number; limit: number };

/** Takes due jobs, those that were requested last first; jobs that another process holds are passed over. */
export async function takeOutputs(sql: Pool, { source, lease, leaseMs, limit }: Taking): Promise<OutputJob[]> {
  return await sql<OutputJob[]>`
    with picked as (
      select j.kind, j.tx_id, j.vout
      from bitcoin_jobs j
      where j.source = ${source} and j.due <= now()
      order by j.due desc
      limit ${limit}
      for update skip locked
    )
    update bitcoin_jobs j
    set lease = ${lease}, attempts = j.attempts + 1, due = now() + ${leaseMs} * interval '1 ms'
    from picked p
    where j.source = ${source} and j.kind = p.kind and j.tx_id = p.tx_id and j.vout = p.vout
    returning j.kind, j.tx_id, j.vout, j.sweep_tx_id, j.sweep_burn_hash, j.burn_height, j.amount, j.recipient, j.attempts
  `;
}

type Held = { source: number; lease: string };

/** Stores what a source said, unless the job was taken over or requested again meanwhile; then ends the job or puts it off. */
export async function endOutput(
  sql: Pool,
  { source, lease }: Held,
  job: OutputJob,
  { facts, againSeconds }: { facts?: OutputFacts | undefined; againSeconds?: number | undefined },
): Promise<void> {
  await sql.begin(async tx => {
    const [held] = await tx`
      select from bitcoin_jobs j where ${isJob(tx, source, job)} and j.lease = ${lease} for update
    `;
    if (!held) return;
    if (facts) await storeFacts(tx, job, facts);
    if (againSeconds === undefined) await tx`delete from bitcoin_jobs j where ${isJob(tx, source, job)}`;
    else
      await tx`
        update bitcoin_jobs j set lease = null, due = now() + ${againSeconds} * interval '1 s' where ${isJob(tx, source, job)}
      `;
  });
}

/** Returns a job that was taken but not tried, such as at a stop: the try does not count. */
export async function returnOutput(sql: Pool, { source, lease }: Held, job: OutputJob): Promise<void> {
  await sql`
    update bitcoin_jobs j
    set lease = null, due = now(), attempts = j.attempts - 1
    where ${isJob(sql, source, job)} and j.lease = ${lease}
  `;
}

const isJob = (sql: Sql, source: number, { kind, tx_id, vout }: OutputJob) =>
  sql`j.source = ${source} and j.kind = ${kind} and j.tx_id = ${tx_id} and j.vout = ${vout}`;

/** Each source fills columns of its own, and an answer all of them. */
async function storeFacts(sql: Sql, { kind, tx_id, vout }: OutputJob, facts: OutputFacts): Promise<void> {
  const amounts = [facts.amount, facts.told_amount, facts.max_fee].map(each => (each == null ? null : String(each)));
  const [amount, told, maxFee] = amounts;
  const fromNode = facts.sweep_tx_id !== undefined;
  await sql`
    insert into bitcoin_outputs as o (
      kind, tx_id, vout, mined_height, lock_blocks, sweep_state, swept, sweep_tx_id, sweep_burn_hash, amount, told_amount, max_fee, script
    )
    values (
      ${kind}, ${tx_id}, ${vout}, ${facts.mined_height ?? null}::int, ${facts.lock_blocks ?? null}::int,
      ${facts.sweep_state ?? null}::int, ${facts.swept ?? null}::boolean, ${facts.sweep_tx_id ?? null}::bytea,
      ${facts.sweep_burn_hash ?? null}::bytea, ${amount ?? null}::numeric, ${told ?? null}::numeric, ${maxFee ?? null}::numeric,
      ${facts.script ?? null}::bytea
    )
    on conflict (kind, tx_id, vout) do update set ${
      fromNode
        ? sql`
            mined_height = excluded.mined_height, sweep_state = excluded.sweep_state, swept = excluded.swept,
            sweep_tx_id = excluded.sweep_tx_id, sweep_burn_hash = excluded.sweep_burn_hash, amount = excluded.amount,
            script = excluded.script
          `
        : sql`
            told_amount = excluded.told_amount, max_fee = excluded.max_fee, lock_blocks = excluded.lock_blocks
          `
    }
  `;
}
