import { type Static, Type } from 'typebox';
import { principalFromBytes } from '../../codec/address/principal.ts';
import { toHex } from '../../codec/hex.ts';
import type { Network } from '../../network.ts';
import type { PoxDelegationRow } from '../../queries/pox/delegations.ts';
import { bitcoinAddress, unpackPoxAddress } from './pox-address.ts';

export const PoolDelegation = Type.Object(
  {
    stacker: Type.String({ description: 'The member.' }),
    pox_addr: Type.Optional(Type.String({ description: 'The reward address it insists on, if any.' })),
    amount_ustx: Type.String({ description: 'What the pool may lock.' }),
    burn_block_unlock_height: Type.Optional(Type.Integer({ description: 'Where the delegation ends, if it does.' })),
    block_height: Type.Integer(),
    tx_id: Type.String(),
  },
  { title: 'PoolDelegation' },
);
export type PoolDelegation = Static<typeof PoolDelegation>;

export function renderPoolDelegation(row: PoxDelegationRow, network: Network): PoolDelegation {
  const address = bitcoinAddress(unpackPoxAddress(row.address), network);
  return {
    stacker: principalFromBytes(row.stacker),
    ...(address !== null && { pox_addr: address }),
    amount_ustx: row.amount,
    ...(row.until !== null && { burn_block_unlock_height: Number(row.until) }),
    block_height: row.height,
    tx_id: toHex(row.tx_id),
  };
}
