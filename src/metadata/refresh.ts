import { tokenClasses } from '../chain/tokens/token-notification.ts';
import type { Pool, Sql } from '../db/client.ts';
import { jobKinds, requestedAgain } from './job-queue.ts';
import type { Fetching } from './token-results.ts';
import { writeTokens } from './token-writes.ts';

/** Tokens that one look requests by age. */
const agedAtOnce = 500;

/** Requests tokens whose age is reached, and returns how many. */
export async function requestAged(sql: Pool): Promise<number> {
  const rows = await writeTokens(
    sql,
    tx => tx`
    with aged as (
      select t.contract, t.number
      from tokens t
      where t.refresh_at <= now()
      order by t.refresh_at
      limit ${agedAtOnce}
      for update skip locked
    ), noted as (
      update tokens t set refresh_at = null from aged a where t.contract = a.contract and t.number = a.number
      returning t.contract, t.number
    )
    insert into token_jobs (contract, kind, number, due)
    select n.contract, ${jobKinds.read}, n.number, now() from noted n
    on conflict (contract, kind, number) do nothing
    returning 1
  `,
  );
  return rows.length;
}

/** Contracts whose tokens are requested by one statement. */
const contractsAtOnce = 500;

/** Requests the URIs that were not fetched so far when the worker begins to fetch them; a kill half-way is repeated. */
export async function enqueueUnfetched(sql: Pool, fetching: Fetching): Promise<void> {
  const [position] = await sql<{ fetches: boolean; last: number }[]>`
    select d.fetches, coalesce((select max(c.id) from token_contracts c), 0) as last from token_discovery d
  `;
  const fetches = fetching === 'all';
  if (!position || position.fetches === fetches) return;
  for (let from = 0; fetches && from <= position.last; from += contractsAtOnce) {
    await sql`
      insert into token_jobs (contract, kind, number, due)
      select t.contract, ${jobKinds.fetch}, t.number, now()
      from tokens t
      where t.contract > ${from} and t.contract <= ${from + contractsAtOnce} and t.uri is not null and t.fetched_at is null
      on conflict (contract, kind, number) do nothing
    `;
  }
  await sql`update token_discovery set fetches = ${fetches}`;
}

/** Requests all tokens of a contract, or one of them, and the number of its tokens; returns how many tokens. */
export async function requestContract(sql: Sql, name: Uint8Array, number?: bigint): Promise<number | undefined> {
  const [found] = await sql<{ id: number; class: number }[]>`
    select c.id, c.class from token_contracts c where c.name = ${name}
  `;
  if (!found) return undefined;
  const one = number === undefined ? sql`` : sql`and t.number = ${String(number)}::numeric`;
  const rows = await sql`
    insert into token_jobs (contract, kind, number, due)
    select t.contract, ${jobKinds.read}, t.number, now()
    from tokens t
    where t.contract = ${found.id} ${one}
    on conflict (contract, kind, number) do update
    ${requestedAgain(sql)}
    returning 1
  `;
  if (number === undefined && found.class === tokenClasses.nft) {
    await sql`
      insert into token_jobs (contract, kind, number, due) values (${found.id}, ${jobKinds.count}, 0, now())
      on conflict (contract, kind, number) do update
      ${requestedAgain(sql)}
    `;
  }
  return rows.length;
}

/** Requests every token that has an error, and makes every waiting job due; returns how many tokens. */
export async function requestFailed(sql: Sql): Promise<number> {
  const rows = await sql`
    insert into token_jobs (contract, kind, number, due)
    select t.contract, ${jobKinds.read}, t.number, now()
    from tokens t
    where t.error_code is not null
    on conflict (contract, kind, number) do update
    ${requestedAgain(sql)}
    returning 1
  `;
  await sql`update token_jobs set due = now(), attempts = 0 where lease is null and due > now()`;
  return rows.length;
}
