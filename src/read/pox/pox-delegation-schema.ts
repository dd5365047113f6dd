import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { type Static, Type } from 'typebox';
import type { PoxDelegationRow } from './delegations-queries.ts';
import { bitcoinAddress, unpackPoxAddress } from './pox-address-schema.ts';

export const PoolDelegation = Type.Object(
  {
    stacker: Type.String({ description: 'Principal of the member.' }),
    pox_addr: Type.Optional(
      Type.String({ description: 'Bitcoin reward address that the member requires; absent if there is none.' }),
    ),
    amount_ustx: Type.String({ description: 'Maximum that the pool may lock, in micro-STX.' }),
    burn_block_unlock_height: Type.Optional(
      Type.Integer({
        description: 'Height of the burn block at which the delegation ends; absent if it does not end.',
      }),
    ),
    block_height: Type.Integer({ description: 'Height of the block of the delegation.' }),
    tx_id: Type.String({ description: 'Id of the transaction of the delegation.' }),
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
