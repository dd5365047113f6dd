import { type Static, Type } from 'typebox';
import { principalFromBytes } from '../codec/principal.ts';
import type { HolderRow, Holders } from '../queries/holders.ts';

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
export type HolderPage = Static<typeof HolderPage>;

export const renderHolders = ({ supply, total, rows }: Holders, limit: number, offset: number): HolderPage => ({
  total_supply: supply,
  limit,
  offset,
  total,
  results: rows.map(renderHolder),
});

const renderHolder = (row: HolderRow): Holder => ({ address: principalFromBytes(row.name), balance: row.balance });
