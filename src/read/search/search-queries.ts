import { addressRanges } from '@cairn-stacks/codec/address/c32-prefix';
import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { arrayLiteral, constant, type Sql } from '../../db/client.ts';
import { type DeployedContractRow, deployedColumns, deployedJoins } from '../contracts/deployed-contracts-queries.ts';
import { type ListedSummary, listedSummary } from '../transactions/summaries-queries.ts';

/** Maximum number of hits of one kind. */
export const MAX_HITS = 20;
/** Addresses that begin alike, looked at for those with the most transactions. */
const MAX_ADDRESSES = 500;
/** Tokens that are looked up at once, and in all. */
const AT_ONCE = 50;
const MAX_LOOKED_UP = 500;

export type FoundBlock = { height: number; hash: Buffer; index_hash: Buffer; time: number; burn_time: number };
export type FoundBurnBlock = { height: number; hash: Buffer };
export type FoundAsset = { contract: Buffer; name: string; kind: 'ft' | 'nft' };

/** Hashes from the first to the last that begin with some hex digits. */
type HashRange = { first: Buffer; last: Buffer };

const rangeOf = (digits: string): HashRange => ({
  first: Buffer.from(digits.padEnd(64, '0'), 'hex'),
  last: Buffer.from(digits.padEnd(64, 'f'), 'hex'),
});

/** Whether a column lies in a range, by the index over so many of its first bytes. */
const within = (sql: Sql, column: string, { first, last }: HashRange, bytes: number) => sql`
  substring(${sql.unsafe(column)} from 1 for ${constant(sql, bytes)}) between ${first.subarray(0, bytes)} and ${last.subarray(0, bytes)}
    and ${sql.unsafe(column)} between ${first} and ${last}
`;

/** Blocks whose hash or index hash begins so, or of a height. */
export async function searchBlocks(sql: Sql, by: { digits: string } | { height: number }): Promise<FoundBlock[]> {
  const which =
    'height' in by
      ? sql`select b.height from blocks b where b.height = ${by.height}`
      : sql`
        (select b.height from blocks b where ${within(sql, 'b.hash', rangeOf(by.digits), 8)} limit ${MAX_HITS})
        union
        (
          select b.height
          from blocks b
          where b.index_hash between ${rangeOf(by.digits).first} and ${rangeOf(by.digits).last}
          limit ${MAX_HITS}
        )
      `;
  return await sql<FoundBlock[]>`
    select b.height, b.hash, b.index_hash, b.time, b.burn_time
    from (${which}) w
    join blocks b on b.height = w.height
    where b.height <= (select f.height from fold_position f)
    order by b.height desc
    limit ${MAX_HITS}
  `;
}

/** Burn blocks whose hash begins so, or of a height. */
export async function searchBurnBlocks(
  sql: Sql,
  by: { digits: string } | { height: number },
): Promise<FoundBurnBlock[]> {
  const which = 'height' in by ? sql`b.height = ${by.height}` : within(sql, 'b.hash', rangeOf(by.digits), 8);
  return await sql<FoundBurnBlock[]>`
    select b.height, b.hash
    from burn_blocks b
    where ${which}
    order by b.height desc
    limit ${MAX_HITS}
  `;
}

/** Confirmed transactions whose id begins so, the newest first. */
export async function searchTransactions(sql: Sql, digits: string): Promise<ListedSummary[]> {
  return await sql<ListedSummary[]>`
    select ${listedSummary(sql)}
    from transactions t
    where ${within(sql, 't.tx_id', rangeOf(digits), 7)} and t.height <= (select f.height from fold_position f)
    order by t.height desc, t.place desc
    limit ${MAX_HITS}
  `;
}

/** Accounts whose address begins so and that have a transaction: the one itself first, then those with the most. */
export async function searchAddresses(sql: Sql, prefix: string): Promise<string[]> {
  const ranges = addressRanges(prefix);
  const rows = await sql<{ name: Buffer; seq: number }[]>`
    select n.name, h.seq
    from (
      select p.id, p.name
      from unnest(${arrayLiteral(ranges.map(r => r.first))}::bytea[], ${arrayLiteral(ranges.map(r => r.last))}::bytea[])
        as r (first, last)
      join principals p on p.name between r.first and r.last
      where length(p.name) = 21
      limit ${MAX_ADDRESSES}
    ) n
    cross join lateral (
      select h.seq
      from principal_transactions h
      where h.principal = n.id and h.height <= (select f.height from fold_position f)
      order by h.height desc, h.seq desc
      limit 1
    ) h
  `;
  return rows
    .map(({ name, seq }) => ({ address: principalFromBytes(name), seq }))
    .filter(({ address }) => address.startsWith(prefix))
    .sort(
      (a, b) =>
        Number(b.address === prefix) - Number(a.address === prefix) ||
        b.seq - a.seq ||
        (a.address < b.address ? -1 : 1),
    )
    .slice(0, MAX_HITS)
    .map(({ address }) => address);
}

type Fragment = ReturnType<typeof listedSummary>;

/** The name of a contract behind the dot of a compact principal. */
const contractName = (sql: Sql, column: string) => sql`encode(substring(${sql.unsafe(column)} from 23), 'escape')`;

/** Contracts of an address (all bytes up to the dot) whose name begins so, the newest first. */
export async function searchContractsOf(sql: Sql, owner: Uint8Array, name: string): Promise<DeployedContractRow[]> {
  return await listContracts(
    sql,
    sql`
      select c.contract, c.height, c.place
      from principals n
      join contracts c on c.contract = n.id
      where n.name between ${owner} and ${Buffer.concat([owner, Buffer.of(0xff)])}
        and starts_with(${contractName(sql, 'n.name')}, ${name})
    `,
  );
}

/** Contracts by their keys, the newest first. */
export async function listContractsByKey(sql: Sql, keys: readonly number[]): Promise<DeployedContractRow[]> {
  return await listContracts(
    sql,
    sql`
      select c.contract, c.height, c.place
      from unnest(${[...keys]}::int[]) w (id)
      join contracts c on c.contract = w.id
    `,
  );
}

async function listContracts(sql: Sql, which: Fragment): Promise<DeployedContractRow[]> {
  return await sql<DeployedContractRow[]>`
    select ${deployedColumns(sql)}
    from (
      select w.contract, w.height, w.place
      from (${which}) w
      where w.height <= (select f.height from fold_position f)
      order by w.height desc, w.place desc
      limit ${MAX_HITS}
    ) w
    join contracts c on c.contract = w.contract
    ${deployedJoins(sql)}
    order by w.height desc, w.place desc
  `;
}

/** Tokens of an address whose contract and name begin so. */
export async function searchAssetsOf(
  sql: Sql,
  owner: Uint8Array,
  { contract, asset }: { contract: string; asset: string },
) {
  const named =
    asset === ''
      ? sql`starts_with(${contractName(sql, 'n.name')}, ${contract})`
      : sql`${contractName(sql, 'n.name')} = ${contract}`;
  return await listAssets(
    sql,
    sql`
      select a.id
      from principals n
      join assets a on a.contract = n.id
      where n.name between ${owner} and ${Buffer.concat([owner, Buffer.of(0xff)])} and ${named}
        and starts_with(a.name, ${asset})
    `,
  );
}

/** The first tokens of a list of keys that have moved; keys of assets outlive the events that forks remove. */
export async function listAssetsByKey(sql: Sql, keys: readonly number[]): Promise<FoundAsset[]> {
  const found: FoundAsset[] = [];
  for (let from = 0; from < Math.min(keys.length, MAX_LOOKED_UP) && found.length < MAX_HITS; from += AT_ONCE) {
    const some = keys.slice(from, from + AT_ONCE);
    found.push(...(await listAssets(sql, sql`select w.id from unnest(${some}::int[]) w (id)`, some.length)));
  }
  return found.slice(0, MAX_HITS);
}

/** Assets that a canonical event has moved: NFTs have a history, fungible tokens have balances. */
async function listAssets(sql: Sql, which: Fragment, most = MAX_HITS): Promise<FoundAsset[]> {
  return await sql<FoundAsset[]>`
    select k.name as contract, a.name, case when x.nft then 'nft' else 'ft' end as kind
    from (${which}) w
    join assets a on a.id = w.id
    join principals k on k.id = a.contract
    cross join lateral (
      -- By the key: for a token that is not one of NFTs, the planner would read the whole table.
      select coalesce((select true from nft_history h where h.asset = a.id order by h.value limit 1), false) as nft
      from asset_totals t
      where t.asset = a.id and t.height <= (select f.height from fold_position f)
      limit 1
    ) x
    order by k.name, a.name
    limit ${most}
  `;
}
