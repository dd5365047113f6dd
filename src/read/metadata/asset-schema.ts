import { type Static, Type } from 'typebox';
import type { AssetMetadataRow } from './assets-queries.ts';

const AssetMetadata = Type.Object(
  {
    name: Type.Optional(
      Type.String({ description: 'Name of the token: from the contract, or of an NFT from its metadata.' }),
    ),
    symbol: Type.Optional(Type.String({ description: 'Symbol of the token, from the contract.' })),
    decimals: Type.Optional(Type.Integer({ description: 'Number of decimals, from the contract.' })),
  },
  { title: 'AssetMetadata', description: 'What is known of the token. Unknown values are absent.' },
);
type AssetMetadata = Static<typeof AssetMetadata>;

/** The key that `metadata=true` adds beside an asset. */
export const assetMetadata = { metadata: Type.Optional(AssetMetadata) };

export function renderAssetMetadata({ name, symbol, decimals }: AssetMetadataRow): AssetMetadata {
  return {
    ...(name !== null && { name }),
    ...(symbol !== null && { symbol }),
    ...(decimals !== null && { decimals }),
  };
}
