import { type Static, Type } from 'typebox';
import type { CollectionRow } from './collections-queries.ts';

const Collection = Type.Object(
  {
    contract_id: Type.String({ description: 'Contract of the collection.' }),
    asset_identifier: Type.Union([Type.String(), Type.Null()], {
      description: '`CONTRACT_ID::ASSET_NAME` of its first NFT class; null if the contract defines none.',
    }),
    items: Type.String({ description: 'Number of NFTs that exist.' }),
    minted: Type.Integer({ description: 'Number of mints so far.' }),
    holders: Type.Integer({ description: 'Number of accounts and contracts that own some.' }),
  },
  { title: 'NftCollection' },
);

const Next = Type.Union([Type.String(), Type.Null()], { description: 'The next `cursor`; null on the last page.' });
export const CollectionList = Type.Object(
  { next: Next, results: Type.Array(Collection) },
  { title: 'NftCollectionList' },
);

export const renderCollection = ({
  principal,
  asset,
  items,
  minted,
  holders,
}: CollectionRow): Static<typeof Collection> => ({
  contract_id: principal,
  asset_identifier: asset === null ? null : `${principal}::${asset}`,
  items,
  minted,
  holders,
});
