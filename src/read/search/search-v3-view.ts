import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { renderDeployedContract } from '../contracts/deployed-contract-schema.ts';
import { renderBlockSummary } from '../principals/mining-schema.ts';
import type { ReadCaches } from '../read-caches.ts';
import { listSummariesAt } from '../transactions/summaries-queries.ts';
import { renderSummary } from '../transactions/transaction-summary-schema.ts';
import type { Match, NameListCache } from './name-list-cache.ts';
import {
  listAssetsByKey,
  listContractsByKey,
  MAX_HITS,
  searchAddresses,
  searchAssetsOf,
  searchBlocks,
  searchBurnBlocks,
  searchContractsOf,
  searchTransactions,
} from './search-queries.ts';
import type { SearchTerm } from './search-term-view.ts';
import {
  renderFoundAsset,
  renderFoundBurnBlock,
  type SearchHit,
  type SearchType,
  searchTypes,
} from './search-v3-schema.ts';

/** The best hits of some types for a term, in the shapes of version 3. */
export async function searchAll(
  { names }: ReadCaches,
  pool: Reader,
  term: SearchTerm,
  text: string,
  types: ReadonlySet<SearchType>,
) {
  const found = await inSnapshot(pool, sql => search(sql, names, term, text, types));
  return { results: found.slice(0, MAX_HITS).map(({ hit }) => hit) };
}

/** How well a hit fits: the thing itself, one that begins so, one that has it somewhere. */
type Ranked = { hit: SearchHit; rank: 0 | 1 | 2; key: string };

/** The keys of matches; the best of them first, or as they are listed. */
const keysOf = (matches: readonly Match[], bestFirst: boolean) =>
  (bestFirst ? [...matches].sort((a, b) => a.rank - b.rank) : matches).map(({ id }) => id);

/**
 * Everything that fits a term, each thing once, the best first. Version 3 shows the newest contracts and the first tokens among those
 * that have a part of a name; `bestNames` takes those whose name it is or begins.
 */
export async function search(
  sql: Sql,
  names: NameListCache,
  term: SearchTerm,
  text: string,
  wanted: ReadonlySet<SearchType>,
  { bestNames = false }: { bestNames?: boolean } = {},
): Promise<Ranked[]> {
  const found: Ranked[] = [];
  const { digits, height, address, owned, part } = term;
  const exact = (is: boolean) => (is ? 0 : 1);
  const whole = digits?.length === 64;
  if (wanted.has('block')) {
    for (const by of [...(height === undefined ? [] : [{ height }]), ...(digits === undefined ? [] : [{ digits }])]) {
      for (const row of await searchBlocks(sql, by))
        found.push({
          hit: { type: 'block', result: renderBlockSummary(row) },
          rank: exact('height' in by || whole),
          key: `b${row.height}`,
        });
    }
  }
  if (wanted.has('bitcoin_block')) {
    for (const by of [...(height === undefined ? [] : [{ height }]), ...(digits === undefined ? [] : [{ digits }])]) {
      for (const row of await searchBurnBlocks(sql, by))
        found.push({
          hit: { type: 'bitcoin_block', result: renderFoundBurnBlock(row) },
          rank: exact('height' in by || whole),
          key: `u${row.height}`,
        });
    }
  }
  if (wanted.has('transaction') && digits !== undefined) {
    for (const row of await listSummariesAt(sql, await searchTransactions(sql, digits)))
      found.push({
        hit: { type: 'transaction', result: renderSummary(row, '9.3') },
        rank: exact(whole),
        key: row.tx_id.toString('hex'),
      });
  }
  if (wanted.has('address') && address !== undefined) {
    for (const principal of await searchAddresses(sql, address))
      found.push({
        hit: { type: 'address', result: { principal } },
        rank: exact(principal === address),
        key: principal,
      });
  }
  if (wanted.has('smart_contract')) {
    const rows = owned
      ? await searchContractsOf(sql, owned.owner, owned.contract)
      : part
        ? await searchContractNames(sql, names, part.split('::')[0]!, bestNames)
        : [];
    for (const row of rows) {
      const result = renderDeployedContract(row);
      const isExact = result.contract_id.toLowerCase() === text.toLowerCase();
      found.push({
        hit: { type: 'smart_contract', result },
        rank: isExact ? 0 : owned ? 1 : 2,
        key: `c${result.contract_id}`,
      });
    }
  }
  if (wanted.has('token')) {
    const rows = owned
      ? await searchAssetsOf(sql, owned.owner, owned)
      : part
        ? await listAssetsByKey(sql, keysOf((await names.read(sql)).assets(part), bestNames))
        : [];
    for (const row of rows) {
      const result = renderFoundAsset(row);
      const isExact = result.asset_identifier.toLowerCase() === text.toLowerCase();
      found.push({
        hit: { type: 'token', result },
        rank: isExact ? 0 : owned ? 1 : 2,
        key: `t${result.asset_identifier}`,
      });
    }
  }
  const seen = new Set<string>();
  return [...found]
    .sort((a, b) => a.rank - b.rank || searchTypes.indexOf(a.hit.type) - searchTypes.indexOf(b.hit.type))
    .filter(({ key }) => !seen.has(key) && seen.add(key));
}

async function searchContractNames(sql: Sql, names: NameListCache, part: string, bestNames: boolean) {
  const matches = (await names.read(sql)).contracts(part);
  return await listContractsByKey(sql, keysOf(matches, bestNames).slice(0, MAX_HITS));
}
