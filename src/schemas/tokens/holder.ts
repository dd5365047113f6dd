import { type Static, Type } from 'typebox';
import { principalFromBytes } from '../../codec/address/principal.ts';

export const Holder = Type.Object({ address: Type.String(), balance: Type.String() }, { title: 'Holder' });
export type Holder = Static<typeof Holder>;

export const HolderPage = Type.Object(
  {
    total_supply: Type.String({ description: 'Sum of all balances.' }),
    limit: Type.Integer(),
    offset: Type.Integer(),
    total: Type.Integer(),
    results: Type.Array(Holder),
  },
  { title: 'HolderPage' },
);

export const renderHolder = (name: Uint8Array, balance: string): Holder => ({
  address: principalFromBytes(name),
  balance,
});
