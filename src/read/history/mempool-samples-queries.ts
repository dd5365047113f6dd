import { arrayLiteral, type Sql } from '../../db/client.ts';

/** Pending transactions by payload id at the end of a minute; a minute is counted from 1970. */
type MempoolSampleRow = { minute: number; types: number[] };

/** The first and the last minute of the samples; undefined without samples. */
export async function findSampledMinutes(sql: Sql): Promise<{ first: number; last: number } | undefined> {
  const [row] = await sql<{ first: number | null; last: number | null }[]>`
    select min(s.minute) as first, max(s.minute) as last from mempool_samples s
  `;
  return row && row.first !== null && row.last !== null ? { first: row.first, last: row.last } : undefined;
}

/** The last sample up to each of these minutes. */
export async function listMempoolSamples(sql: Sql, minutes: readonly number[]): Promise<MempoolSampleRow[]> {
  return await sql<MempoolSampleRow[]>`
    select m.minute, s.types
    from unnest(${arrayLiteral(minutes)}::int[]) as m (minute)
    cross join lateral (
      select s.types from mempool_samples s where s.minute <= m.minute order by s.minute desc limit 1
    ) s
    order by m.minute
  `;
}
