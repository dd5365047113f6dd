import { packPrincipal, parseAssetId } from '@cairn-stacks/codec/address/principal';
import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex } from '@cairn-stacks/codec/hex';
import type { Sql } from '../db/client.ts';
import { attempt } from './construction/address.ts';
import { RosettaError } from './errors.ts';
import { tokenAmount } from './operations/currency.ts';
import { listFtAmounts, listOwned, type TokenKey } from './queries/token-balances.ts';
import type { RosettaAmount } from './schemas/rosetta.ts';

type Currency = RosettaAmount['currency'];
type Wanted = TokenKey & { asset: string; value: Uint8Array | undefined };

/** What an account has of some tokens after a block, in the order of the currencies, which are those of operations. */
export async function readTokenAmounts(
  sql: Sql,
  principal: Uint8Array,
  currencies: readonly Currency[],
  height: number,
): Promise<RosettaAmount[]> {
  const wanted = currencies.map(tokenOf);
  const items = wanted.filter((token): token is Wanted & { value: Uint8Array } => token.value !== undefined);
  const fungible = wanted.filter(({ value }) => value === undefined);
  const [amounts, owned] = await Promise.all([
    listFtAmounts(sql, principal, fungible, height),
    listOwned(sql, principal, items, height),
  ]);
  return wanted.map(token => {
    const { asset, value } = token;
    if (value === undefined) return tokenAmount(amounts[fungible.indexOf(token)]!, { type: 'ft', asset });
    const has = owned[items.indexOf(token as (typeof items)[number])]!;
    return tokenAmount(has ? 1n : 0n, { type: 'nft', asset, value: clarityJson(value) });
  });
}

function tokenOf({ metadata = {} }: Currency): Wanted {
  const { token_type: type, asset_identifier: asset, value } = metadata;
  const id = typeof asset === 'string' ? attempt(() => parseAssetId(asset)) : undefined;
  if (!id || typeof asset !== 'string') {
    throw new RosettaError(623, 'metadata.asset_identifier of a token is CONTRACT::NAME');
  }
  const key = { asset, contract: packPrincipal(id.contract), name: id.asset };
  if (type === 'ft') return { ...key, value: undefined };
  if (type !== 'nft') throw new RosettaError(623, 'metadata.token_type of a token is ft or nft');
  const { hex } = (value ?? {}) as { hex?: unknown };
  const bytes = typeof hex === 'string' ? attempt(() => fromHex(hex)) : undefined;
  if (!bytes || !attempt(() => decodeClarity(bytes))) {
    throw new RosettaError(623, 'metadata.value.hex of an NFT is its serialized Clarity value in hex');
  }
  return { ...key, value: bytes };
}
