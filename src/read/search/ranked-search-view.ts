import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { ReadCaches } from '../read-caches.ts';
import type { NameListCache } from './name-list-cache.ts';
import { listNamesFrom, listTokensFrom } from './prefix-queries.ts';
import { type RankedHit, renderFoundName, renderFoundToken, renderRankedHit } from './ranked-hit-schema.ts';
import { MAX_HITS } from './search-queries.ts';
import { readSearchTerm } from './search-term-view.ts';
import { searchTypes } from './search-v3-schema.ts';
import { search } from './search-v3-view.ts';

/** Names have at least so many characters before they are looked for. */
const MIN_NAME = 2;

/** Of hits that fit equally well, these types come first. */
const typeOrder: readonly RankedHit['type'][] = [
  'block',
  'bitcoin_block',
  'transaction',
  'address',
  'name',
  'token',
  'contract',
];

/** How well a hit fits: it is what was typed, it begins so, it has it somewhere. */
type Ranked = { hit: RankedHit; rank: number; key: string };

/** The best hits for what a person typed; undefined if it cannot be any of them. */
export async function searchRanked(
  { names }: ReadCaches,
  pool: Reader,
  text: string,
): Promise<RankedHit[] | undefined> {
  const typed = text.trim();
  const term = readSearchTerm(typed);
  const isName = /^[\x21-\x7e]+$/.test(typed) && typed.length >= MIN_NAME;
  if (!term && !isName) return undefined;
  return await inSnapshot(pool, async sql => {
    const found = isName ? await findByName(sql, typed) : [];
    if (term) found.push(...(await findByTerm(sql, names, term, typed)));
    return best(found);
  });
}

async function findByName(sql: Sql, typed: string): Promise<Ranked[]> {
  const text = typed.toLowerCase();
  const rankOf = (...names: (string | null)[]) => (names.some(name => name?.toLowerCase() === text) ? 0 : 1);
  const names = await listNamesFrom(sql, text);
  const tokens = await listTokensFrom(sql, text);
  return [
    ...names.map(row => ({
      hit: renderFoundName(row),
      rank: rankOf(row.name, row.name.split('.')[0]!),
      key: row.name,
    })),
    ...tokens.map(row => ({
      hit: renderFoundToken(row),
      rank: rankOf(row.symbol, row.name),
      key: `${row.principal}::${row.asset}`,
    })),
  ];
}

async function findByTerm(
  sql: Sql,
  names: NameListCache,
  term: NonNullable<ReturnType<typeof readSearchTerm>>,
  typed: string,
) {
  const hits = await search(sql, names, term, typed, new Set(searchTypes), { bestNames: true });
  const text = typed.toLowerCase();
  return hits.map(({ hit, key }): Ranked => {
    const rendered = renderRankedHit(hit);
    return {
      hit: rendered,
      rank: rankOf(rendered, text),
      key: rendered.type === 'token' ? rendered.asset_identifier : key,
    };
  });
}

/** Heights and whole hashes are exact; of names, the parts between dots and colons count. */
function rankOf(hit: RankedHit, text: string): number {
  const digits = text.replace(/^0x/, '');
  switch (hit.type) {
    case 'block':
    case 'bitcoin_block':
      return String(hit.height) === text || hit.hash.slice(2) === digits ? 0 : 1;
    case 'transaction':
      return hit.tx_id.slice(2) === digits ? 0 : 1;
    case 'address':
      return hit.principal.toLowerCase() === text ? 0 : 1;
    case 'contract':
      return rankOfName(hit.contract_id, hit.contract_id.split('.').slice(1), text);
    case 'token':
      return rankOfName(hit.asset_identifier, hit.asset_identifier.split('.').slice(1).join('.').split('::'), text);
    case 'name':
      return 1;
  }
}

function rankOfName(whole: string, parts: readonly string[], text: string): number {
  const names = [whole, ...parts].map(name => name.toLowerCase());
  if (names.includes(text)) return 0;
  return names.some(name => name.startsWith(text)) ? 1 : 2;
}

/** Each thing once, the best first; hits that come first here are known with more. */
function best(found: readonly Ranked[]): RankedHit[] {
  const seen = new Set<string>();
  return [...found]
    .filter(({ key }) => !seen.has(key) && seen.add(key))
    .sort((a, b) => a.rank - b.rank || typeOrder.indexOf(a.hit.type) - typeOrder.indexOf(b.hit.type))
    .slice(0, MAX_HITS)
    .map(({ hit }) => hit);
}
