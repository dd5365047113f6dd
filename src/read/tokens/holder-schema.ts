import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { type Static, Type } from 'typebox';
import { assetMetadata } from '../metadata/asset-schema.ts';

export const Holder = Type.Object(
  {
    address: Type.String({ description: 'Address or contract identifier of the holder.' }),
    balance: Type.String({ description: 'Balance in the smallest unit: micro-STX for STX.' }),
  },
  { title: 'Holder' },
);
export type Holder = Static<typeof Holder>;

export const HolderPage = Type.Object(
  {
    total_supply: Type.String({ description: 'Sum of all balances, in the smallest unit.' }),
    limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
    offset: Type.Integer({ description: 'Number of results that were skipped.' }),
    total: Type.Integer({ description: 'Number of holders.' }),
    results: Type.Array(Holder),
    ...assetMetadata,
  },
  { title: 'HolderPage' },
);

export const renderHolder = (name: Uint8Array, balance: string): Holder => ({
  address: principalFromBytes(name),
  balance,
});
