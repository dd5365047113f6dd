import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { type Static, Type } from 'typebox';
import type { FoundName, FoundToken } from './prefix-queries.ts';
import type { SearchHit } from './search-v3-schema.ts';

const hit = <N extends string, P extends Type.TProperties>(type: N, properties: P) =>
  Type.Object({ type: Type.Literal(type), ...properties }, { title: `Found-${type}` });

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const RankedHit = Type.Union(
  [
    hit('block', { height: Type.Integer(), hash: Type.String(), index_block_hash: Type.String() }),
    hit('bitcoin_block', {
      height: Type.Integer({ description: 'Height of the Bitcoin block.' }),
      hash: Type.String(),
    }),
    hit('transaction', { tx_id: Type.String() }),
    hit('address', { principal: Type.String() }),
    hit('contract', { contract_id: Type.String() }),
    hit('token', {
      asset_identifier: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }),
      asset_type: Type.Enum(['ft', 'nft']),
      name: textOrNull('Name that the contract gives the token; null if it is not known.'),
      symbol: textOrNull('Symbol that the contract gives the token; null if it is not known.'),
    }),
    hit('name', {
      name: Type.String({ description: 'The name with its namespace.' }),
      version: Type.Integer({ description: 'Version of the naming system (BNS).' }),
      owner: textOrNull('Who owns the name; null for a burnt one.'),
    }),
  ],
  { title: 'Found' },
);
export type RankedHit = Static<typeof RankedHit>;

export const RankedHits = Type.Object({ results: Type.Array(RankedHit) }, { title: 'FoundList' });

/** A hit of version 3 in the shape of this list. */
export function renderRankedHit({ type, result }: SearchHit): RankedHit {
  switch (type) {
    case 'block':
      return { type, height: result.height, hash: result.hash, index_block_hash: result.index_hash };
    case 'transaction':
      return { type, tx_id: result.tx_id };
    case 'smart_contract':
      return { type: 'contract', contract_id: result.contract_id };
    case 'token': {
      const { asset_identifier, asset_type } = result;
      return { type, asset_identifier, asset_type, name: null, symbol: null };
    }
    case 'bitcoin_block':
      return { type, ...result };
    case 'address':
      return { type, ...result };
  }
}

export const renderFoundName = ({ name, version, owner }: FoundName): RankedHit => ({
  type: 'name',
  name,
  version,
  owner: owner && principalFromBytes(owner),
});

export const renderFoundToken = ({ principal, asset, name, symbol }: FoundToken): RankedHit => ({
  type: 'token',
  asset_identifier: `${principal}::${asset}`,
  asset_type: 'ft',
  name,
  symbol,
});
