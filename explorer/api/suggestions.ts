import { kindOf } from '../format/identify.ts';
import { formatCount } from '../format/number.ts';
import { shorten, shortenPrincipal } from '../format/shorten.ts';
import { read } from './client.ts';
import type { SearchHit } from './schema.ts';

export type Suggestion = { kind: string; label: string; href: string };

/** A search hit as a link. */
export function suggestionOf(hit: SearchHit): Suggestion {
  switch (hit.type) {
    case 'block':
      return { kind: 'Block', label: `#${formatCount(hit.result.height)}`, href: `/block/${hit.result.height}` };
    case 'bitcoin_block':
      return {
        kind: 'Bitcoin block',
        label: `#${formatCount(hit.result.height)}`,
        href: `/burn-block/${hit.result.height}`,
      };
    case 'transaction':
      return { kind: 'Transaction', label: shorten(hit.result.tx_id, 14, 8), href: `/tx/${hit.result.tx_id}` };
    case 'address':
      return { kind: 'Account', label: hit.result.principal, href: `/account/${hit.result.principal}` };
    case 'smart_contract':
      return {
        kind: 'Contract',
        label: shortenPrincipal(hit.result.contract_id),
        href: `/contract/${hit.result.contract_id}`,
      };
    case 'token':
      return {
        kind: hit.result.asset_type === 'nft' ? 'Collection' : 'Token',
        label: hit.result.asset_name,
        href: `/token/${encodeURIComponent(hit.result.asset_identifier)}`,
      };
  }
}

/** What the text may mean: hits of the search, and for a dotted text also the name of that spelling. */
export async function findSuggestions(text: string, signal?: AbortSignal): Promise<Suggestion[]> {
  const { results } = await read('/extended/v3/search', { q: text.replace(/^#/, '') }, signal);
  const hits = results.map(suggestionOf);
  if (kindOf(text) === 'name') {
    const name = text.toLowerCase();
    hits.push({ kind: 'Name', label: name, href: `/name/${encodeURIComponent(name)}` });
  }
  return hits;
}
