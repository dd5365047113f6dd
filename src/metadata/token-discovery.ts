import { tokenClasses, updateModes } from '../chain/tokens/token-notification.ts';
import type { Pool, Sql } from '../db/client.ts';
import { type ChainPage, type Cursor, readNextStep } from './chain-page.ts';
import { jobKinds, requestedAgain } from './job-queue.ts';
import { writeTokens } from './token-writes.ts';

export type DiscoveryOptions = {
  /** True if discovery goes on although events wait for the fold. */
  impatient: boolean;
  /** Milliseconds between two reads of a token because of notices. */
  noticeMs: number;
};

/**
 * Follows the tables of the chain by one page of blocks: stores new token contracts and tokens and enqueues what is to be read.
 * Returns the number of blocks, negative when it went back to a fork; 0 if there was nothing to do.
 */
export async function discover(sql: Pool, { impatient, noticeMs }: DiscoveryOptions): Promise<number> {
  const step = await readNextStep(sql, impatient);
  if (!step) return 0;
  if ('fork' in step) {
    const { fork, after } = step;
    return (await writeTokens(sql, tx => moveCursor(tx, after, fork, () => goBack(tx, fork.height))))
      ? fork.height - after.height
      : 0;
  }
  const { page } = step;
  return (await writeTokens(sql, tx => moveCursor(tx, page.after, page.to, () => storePage(tx, page, noticeMs))))
    ? page.to.height - page.after.height
    : 0;
}

/** Runs work and moves the cursor in the same transaction; false if another process moved it, or the chain left the block. */
async function moveCursor(sql: Sql, from: Cursor, to: Cursor, work: () => Promise<void>): Promise<boolean> {
  const [held] = await sql<{ found: boolean }[]>`
    select ${to.height}::int = 0 or exists (
      select 1 from blocks b where b.height = ${to.height} and b.index_hash = ${to.indexHash}
    ) as found
    from token_discovery d
    where d.height = ${from.height} and d.index_hash = ${from.indexHash}
    for update skip locked
  `;
  if (!held?.found) return false;
  await work();
  await sql`update token_discovery set height = ${to.height}, index_hash = ${to.indexHash}`;
  return true;
}

async function storePage(sql: Sql, page: ChainPage, noticeMs: number): Promise<void> {
  if (page.contracts.length > 0) await storeContracts(sql, page.contracts);
  if (page.mints.length > 0) await storeMints(sql, page.mints);
  if (page.supplies.length > 0) await requestSupplies(sql, page.supplies);
  for (const notice of page.notices) await storeNotice(sql, notice, noticeMs);
}

async function storeContracts(sql: Sql, contracts: ChainPage['contracts']): Promise<void> {
  const json = JSON.stringify(contracts);
  const listed = sql`
    json_to_recordset(${json}::text::json) as r (name text, principal text, class int, asset text, height int)
  `;
  // A contract of a lost block that another block deploys with other functions.
  await sql`
    delete from token_contracts c using ${listed} where c.name = decode(r.name, 'hex') and c.class <> r.class
  `;
  await sql`
    with stored as (
      insert into token_contracts (class, height, name, principal, asset)
      select r.class, r.height, decode(r.name, 'hex'), r.principal, r.asset
      from ${listed}
      on conflict (name) do update set height = excluded.height, asset = excluded.asset
      returning id, class, height
    ), single as (
      insert into tokens (contract, number, class, height)
      select s.id, 1, s.class, s.height from stored s where s.class = ${tokenClasses.ft}
      on conflict (contract, number) do nothing
    )
    insert into token_jobs (contract, kind, number, due)
    select s.id, case s.class when ${tokenClasses.ft} then ${jobKinds.read}::int else ${jobKinds.count}::int end,
      case s.class when ${tokenClasses.ft} then 1 else 0 end, now()
    from stored s
    where s.class <> ${tokenClasses.sft}
    on conflict (contract, kind, number) do update
    ${requestedAgain(sql)}
  `;
}

async function storeMints(sql: Sql, mints: ChainPage['mints']): Promise<void> {
  await sql`
    with minted as (
      select c.id as contract, r.number, c.class, r.height
      from json_to_recordset(${JSON.stringify(mints)}::text::json) as r (name text, class int, number numeric, height int)
      join token_contracts c on c.name = decode(r.name, 'hex') and c.class = r.class
    ), stored as (
      insert into tokens (contract, number, class, height)
      select m.contract, m.number, m.class, m.height from minted m
      on conflict (contract, number) do nothing
    )
    insert into token_jobs (contract, kind, number, due)
    select m.contract, ${jobKinds.read}, m.number, now()
    from minted m
    order by m.contract, m.number
    on conflict (contract, kind, number) do update
    ${requestedAgain(sql)}
  `;
}

/** A token that waits for its first read needs no other read of its supply. */
async function requestSupplies(sql: Sql, names: readonly string[]): Promise<void> {
  await sql`
    insert into token_jobs (contract, kind, number, due)
    select c.id, ${jobKinds.supply}, 1, now()
    from unnest(${names}::text[]) n (name)
    join token_contracts c on c.name = decode(n.name, 'hex') and c.class = ${tokenClasses.ft}
    where not exists (
      select 1 from token_jobs j
      where j.contract = c.id and j.kind = ${jobKinds.read} and j.number = 1 and j.lease is null and j.due <= now()
    )
    order by c.id
    on conflict (contract, kind, number) do update
    ${requestedAgain(sql)}
  `;
}

/** Stores a notice and requests the tokens that it is about, except those that an earlier notice froze. */
async function storeNotice(sql: Sql, notice: ChainPage['notices'][number], noticeMs: number): Promise<void> {
  const numbers = notice.numbers === undefined ? null : `{${notice.numbers.join(',')}}`;
  await sql`
    with told as (
      insert into token_notices (contract, height, place, event_index, mode, ttl, numbers)
      select c.id, ${notice.height}, ${notice.place}, ${notice.event_index}, ${notice.mode}, ${notice.ttl ?? null}::bigint,
        ${numbers}::numeric[]
      from token_contracts c
      where c.name = decode(${notice.name}::text, 'hex') and c.class = ${notice.class}
      on conflict (contract, height, place, event_index) do nothing
      returning contract, numbers
    )
    insert into token_jobs (contract, kind, number, due)
    select t.contract, ${jobKinds.read}, t.number, greatest(now(), t.read_at + ${noticeMs} * interval '1 ms')
    from told n
    join tokens t on t.contract = n.contract and (n.numbers is null or t.number = any (n.numbers))
    where not exists (
      select 1 from token_notices f
      where f.contract = t.contract and f.mode = ${updateModes.frozen} and (f.numbers is null or t.number = any (f.numbers))
    )
    order by t.contract, t.number
    on conflict (contract, kind, number) do update
    ${requestedAgain(sql)}
  `;
}

/**
 * Removes what only lost blocks have brought and requests what was read in them. The blocks after the fork are followed again
 * from there.
 */
async function goBack(sql: Sql, fork: number): Promise<void> {
  await sql`delete from token_contracts where height > ${fork}`;
  await sql`delete from tokens where height > ${fork}`;
  await sql`
    with lost as (
      update token_contracts c set counted_at = null where c.counted_at > ${fork} returning c.id
    )
    insert into token_jobs (contract, kind, number, due)
    select l.id, ${jobKinds.count}, 0, now() from lost l
    on conflict (contract, kind, number) do update
    ${requestedAgain(sql)}
  `;
  await sql`
    with lost as (
      delete from token_notices n where n.height > ${fork} returning n.contract, n.numbers
    ), stale as (
      select t.contract, t.number from tokens t where t.read_height > ${fork}
      union
      select t.contract, t.number
      from lost l
      join tokens t on t.contract = l.contract and (l.numbers is null or t.number = any (l.numbers))
    )
    insert into token_jobs (contract, kind, number, due)
    select s.contract, ${jobKinds.read}, s.number, now() from stale s order by s.contract, s.number
    on conflict (contract, kind, number) do update
    ${requestedAgain(sql)}
  `;
}
