import { isAssetId, isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { Sql } from '../../db/client.ts';
import { renderAssetMetadata } from './asset-schema.ts';
import { type AssetKey, listAssetMetadata } from './assets-queries.ts';

type Json = Record<string, unknown>;
/** An object of a response that is about a token, and which token it is. */
type Mention = { object: Json; contract: string; asset: string; fungible: boolean; number: bigint };

/** Keys that hold the identifier of an asset. */
const identifiers = ['asset_identifier', 'asset_id', 'token'] as const;

/**
 * Adds name, symbol and decimals beside every asset that a response mentions, by one statement. `ofPath` is the asset that the
 * whole response is about, if it is about one.
 */
export async function addAssetMetadata(sql: Sql, body: unknown, ofPath: string | undefined): Promise<unknown> {
  const mentions: Mention[] = [];
  if (ofPath !== undefined && isObject(body)) mention(mentions, body, ofPath);
  collect(mentions, body);
  const keys = new Map<string, AssetKey>();
  for (const { contract, asset, fungible, number } of mentions) {
    const key = `${contract} ${asset} ${number}`;
    if (!keys.has(key) && isPrincipal(contract))
      keys.set(key, { contract: principalToBytes(contract), asset, fungible, number });
  }
  if (keys.size === 0) return body;
  const rows = await listAssetMetadata(sql, [...keys.values()]);
  const names = [...keys.keys()];
  const found = new Map(rows.map(row => [names[row.position - 1]!, renderAssetMetadata(row)]));
  for (const { object, contract, asset, number } of mentions) {
    const metadata = found.get(`${contract} ${asset} ${number}`);
    if (metadata) object.metadata = metadata;
  }
  return body;
}

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function collect(mentions: Mention[], value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(mentions, item);
    return;
  }
  if (!isObject(value)) return;
  for (const key of identifiers) {
    const asset = value[key];
    if (typeof asset === 'string') mention(mentions, value, asset);
  }
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'fungible_tokens' && isObject(inner)) {
      for (const [asset, object] of Object.entries(inner)) if (isObject(object)) mention(mentions, object, asset);
    } else if (typeof inner === 'object') collect(mentions, inner);
  }
}

/** A fungible token is number 1 of its contract; an NFT has the number of its value. */
function mention(mentions: Mention[], object: Json, asset: string): void {
  if (!isAssetId(asset)) return;
  const value = isObject(object.value) ? object.value.repr : undefined;
  const [, number] = typeof value === 'string' ? (/^u(\d{1,39})$/.exec(value) ?? []) : [];
  if (value !== undefined && number === undefined) return;
  const [contract = '', name = ''] = asset.split('::');
  mentions.push({ object, contract, asset: name, fungible: number === undefined, number: BigInt(number ?? 1) });
}
