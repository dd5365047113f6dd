import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { DeployedContract } from '../contracts/deployed-contract-schema.ts';
import { BlockSummary } from '../principals/mining-schema.ts';
import { TransactionSummary } from '../transactions/transaction-summary-schema.ts';
import type { FoundAsset, FoundBurnBlock } from './search-queries.ts';

export const searchTypes = ['block', 'bitcoin_block', 'transaction', 'address', 'smart_contract', 'token'] as const;
export type SearchType = (typeof searchTypes)[number];

const hit = <N extends SearchType, T extends Type.TSchema>(type: N, result: T) =>
  Type.Object({ type: Type.Literal(type), result }, { title: `SearchHit-${type}` });

export const SearchHit = Type.Union(
  [
    hit('block', BlockSummary),
    hit(
      'bitcoin_block',
      Type.Object({ height: Type.Integer({ description: 'Height of the Bitcoin block.' }), hash: Type.String() }),
    ),
    hit('transaction', TransactionSummary),
    hit('address', Type.Object({ principal: Type.String() })),
    hit('smart_contract', DeployedContract),
    hit(
      'token',
      Type.Object({
        asset_identifier: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }),
        asset_type: Type.Union([Type.Literal('ft'), Type.Literal('nft')]),
        contract_id: Type.String(),
        asset_name: Type.String(),
      }),
    ),
  ],
  { title: 'SearchHit' },
);
export type SearchHit = Static<typeof SearchHit>;

export const renderFoundBurnBlock = ({ height, hash }: FoundBurnBlock) => ({ height, hash: toHex(hash) });

export function renderFoundAsset({ contract, name, kind }: FoundAsset) {
  const contract_id = principalFromBytes(contract);
  return { asset_identifier: `${contract_id}::${name}`, asset_type: kind, contract_id, asset_name: name };
}
