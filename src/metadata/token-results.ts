import { tokenClasses, updateModes } from '../chain/tokens/token-notification.ts';
import type { Sql } from '../db/client.ts';
import { type Job, jobKinds, requestedAgain } from './job-queue.ts';
import type { FetchedMetadata, FetchFailure, MetadataErrorCode, TokenMetadata } from './metadata-source.ts';
import type { TokenRead } from './token-reader.ts';

/** Ages after which tokens are read again. */
export type RefreshAges = {
  /** Seconds after a success. */
  afterSuccess: number;
  /** Seconds after a failure that trying again at once cannot repair. */
  afterFailure: number;
  /** Seconds for metadata that a notice calls dynamic without a ttl. */
  dynamic: number;
  /** The shortest time between two reads by age, in seconds. */
  shortest: number;
};

export const defaultAges: RefreshAges = { afterSuccess: 604_800, afterFailure: 86_400, dynamic: 86_400, shortest: 60 };

/** Tokens of a collection that are read when it is found; collections with more are read by their mints alone. */
const maxCounted = 50_000n;

export type ReadResult = TokenRead & {
  contract: number;
  number: bigint;
  /** Height that the called node had not passed. */
  height: number;
  /** Milliseconds until the next try; absent after the last one. */
  retryMs?: number | undefined;
};

/** Which URIs are fetched: none, those that contain the data themselves, or all. */
export type Fetching = 'none' | 'data' | 'all';

/** Stores what contracts said, and requests the URIs that are to be fetched. */
export async function storeReads(
  sql: Sql,
  results: readonly ReadResult[],
  fetching: Fetching,
  ages: RefreshAges,
): Promise<void> {
  if (results.length === 0) return;
  const rows = results.map(({ contract, number, height, facts, failure, retryMs }) => ({
    ...{ contract, number: String(number), height, ...facts, supply: facts.supply?.toString() },
    reads: Object.keys(facts),
    failed: failure !== undefined,
    message: failure?.message,
    retry_ms: retryMs,
  }));
  const code: MetadataErrorCode = 'contract_call_failed';
  const fetched = { none: sql`false`, data: sql`(w.uri ilike 'data:%')`, all: sql`true` }[fetching];
  await sql`
    with r as (
      select *
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (
        contract int, number numeric, height int, name text, symbol text, decimals int, supply numeric, uri text,
        reads text[], failed bool, message text, retry_ms float8
      )
    ), written as (
      update tokens t
      set read_height = r.height,
        read_at = now(),
        name = case when 'name' = any (r.reads) then r.name else t.name end,
        symbol = case when 'symbol' = any (r.reads) then r.symbol else t.symbol end,
        decimals = case when 'decimals' = any (r.reads) then r.decimals else t.decimals end,
        supply = case when 'supply' = any (r.reads) then r.supply else t.supply end,
        uri = case when 'uri' = any (r.reads) then r.uri else t.uri end,
        -- Metadata belong to the URI that they came from.
        metadata = case when 'uri' = any (r.reads) and r.uri is distinct from t.uri then null else t.metadata end,
        fetched_at = case when 'uri' = any (r.reads) and r.uri is distinct from t.uri then null else t.fetched_at end,
        -- A failed call is known from the first try on; one that succeeds ends only its own failure.
        error_code = case
          when r.failed then ${code}
          when not 'uri' = any (r.reads) then t.error_code
          when t.error_code = ${code} or r.uri is distinct from t.uri then null
          else t.error_code
        end,
        error_message = case
          when r.failed then r.message
          when not 'uri' = any (r.reads) then t.error_message
          when t.error_code = ${code} or r.uri is distinct from t.uri then null
          else t.error_message
        end,
        refresh_at = case
          when not 'uri' = any (r.reads) and not r.failed then t.refresh_at
          when r.failed and r.retry_ms is not null then null
          else now() + ${spread(sql)} * case when r.failed then ${ages.afterFailure}::float8 else ${ages.afterSuccess}::float8 end * interval '1 s'
        end
      from r
      where t.contract = r.contract and t.number = r.number
      returning t.contract, t.number, t.uri, r.failed, 'uri' = any (r.reads) as has_uri
    ), gone as (
      delete from token_locales l
      using written w
      where l.contract = w.contract and l.number = w.number and w.has_uri and w.uri is null
    )
    insert into token_jobs (contract, kind, number, due)
    select w.contract, ${jobKinds.fetch}, w.number, now()
    from written w
    where w.has_uri and w.uri is not null and ${fetched}
    order by w.contract, w.number
    on conflict (contract, kind, number) do update
    ${requestedAgain(sql)}
  `;
  await setDynamicAges(sql, results, ages);
}

/** A factor from 0.75 to 1.25, so that tokens found together are not read again together. */
const spread = (sql: Sql) => sql`(0.75 + random() / 2)`;

/** What a URI gave: metadata, or why there are none. */
export type FetchResult = Pick<Job, 'contract' | 'number'> & {
  uri: string;
  result: FetchedMetadata | { failure: FetchFailure };
  retryMs?: number | undefined;
};

/** Stores what was fetched, unless the contract has named another URI meanwhile. */
export async function storeFetch(sql: Sql, fetch: FetchResult, ages: RefreshAges): Promise<void> {
  const { contract, number, uri, result, retryMs } = fetch;
  const failure = 'failure' in result ? result.failure : undefined;
  const fetched = 'failure' in result ? undefined : result;
  const age = failure ? ages.afterFailure : ages.afterSuccess;
  const freshMs = fetched?.freshUntil ? Math.max(0, fetched.freshUntil.getTime() - Date.now()) : 0;
  const [written] = await sql`
    update tokens t
    set fetched_at = now(),
      -- A failure leaves what an earlier fetch brought.
      metadata = coalesce(${fetched ? JSON.stringify(storedMetadata(fetched.metadata)) : null}::text::json, t.metadata),
      error_code = ${failure?.code ?? null},
      error_message = ${failure ? storableText(failure.message) : null},
      refresh_at = case
        when ${retryMs !== undefined} then null
        else now() + greatest(${freshMs}::float8 * interval '1 ms', ${spread(sql)} * ${age}::float8 * interval '1 s')
      end
    where t.contract = ${contract} and t.number = ${String(number)}::numeric and t.uri = ${uri}
    returning 1
  `;
  if (!written || !fetched) return;
  const locales = [...fetched.locales].map(([locale, metadata]) => ({
    ...{ locale: storableText(locale), metadata: JSON.stringify(storedMetadata(metadata)) },
  }));
  await sql`delete from token_locales where contract = ${contract} and number = ${String(number)}::numeric`;
  await sql`
    insert into token_locales (contract, number, locale, metadata)
    select ${contract}, ${String(number)}::numeric, r.locale, r.metadata::json
    from json_to_recordset(${JSON.stringify(locales)}::text::json) as r (locale text, metadata text)
    on conflict (contract, number, locale) do nothing
  `;
  await setDynamicAges(sql, [fetch], ages);
}

/** The whole document is stored only where it has no name, hence says little otherwise. */
function storedMetadata({ raw, ...metadata }: TokenMetadata): Record<string, unknown> {
  return metadata.name === undefined ? { ...metadata, raw } : metadata;
}

/** PostgreSQL cannot store U+0000. */
const storableText = (text: string) => text.replaceAll('\0', '\ufffd').slice(0, 500);

/** Applies notices: frozen tokens are not read again by age, dynamic ones after their ttl. */
async function setDynamicAges(
  sql: Sql,
  tokens: readonly Pick<Job, 'contract' | 'number'>[],
  { dynamic, shortest }: RefreshAges,
): Promise<void> {
  const rows = tokens.map(({ contract, number }) => ({ contract, number: String(number) }));
  await sql`
    update tokens t
    set refresh_at = case
      when n.frozen then null
      else now() + greatest(coalesce(n.ttl, ${dynamic}), ${shortest}) * interval '1 s'
    end
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (contract int, number numeric)
    cross join lateral (
      select bool_or(n.mode = ${updateModes.frozen}) over () as frozen, n.mode, n.ttl
      from token_notices n
      where n.contract = r.contract and (n.numbers is null or r.number = any (n.numbers))
      order by n.height desc, n.place desc, n.event_index desc
      limit 1
    ) n
    where t.contract = r.contract and t.number = r.number and t.error_code is null and t.refresh_at is not null
      and (n.frozen or n.mode = ${updateModes.dynamic})
  `;
}

/** Adds the tokens of a collection, numbers 1 to `last`, unless there are too many, and requests those that are new. */
export async function storeCount(sql: Sql, contract: number, last: bigint, height: number): Promise<void> {
  await sql`update token_contracts set counted_at = ${height} where id = ${contract}`;
  if (last === 0n || last > maxCounted) return;
  await sql`
    with stored as (
      insert into tokens (contract, number, class, height)
      select ${contract}, n, ${tokenClasses.nft}, ${height} from generate_series(1, ${Number(last)}) n
      on conflict (contract, number) do nothing
      returning contract, number
    )
    insert into token_jobs (contract, kind, number, due)
    select s.contract, ${jobKinds.read}, s.number, now() from stored s
    on conflict (contract, kind, number) do nothing
  `;
}
