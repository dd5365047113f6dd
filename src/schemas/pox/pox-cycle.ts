import { type Static, Type } from 'typebox';
import { AddressVersion, encodeAddress } from '../../codec/address/c32.ts';
import { principalFromBytes } from '../../codec/address/principal.ts';
import { hash160 } from '../../codec/hash.ts';
import { toHex } from '../../codec/hex.ts';
import type { Network } from '../../network.ts';
import type { PoxCycleRow, PoxSignerRow } from '../../queries/pox/cycles.ts';
import type { PoxStackerRow } from '../../queries/pox/stackers.ts';
import { bitcoinAddress, unpackPoxAddress } from './pox-address.ts';

export const PoxCycle = Type.Object(
  {
    block_height: Type.Integer({ description: 'The block that fixed the signer set.' }),
    index_block_hash: Type.String(),
    cycle_number: Type.Integer(),
    total_weight: Type.Integer(),
    total_stacked_amount: Type.String(),
    total_signers: Type.Integer(),
  },
  { title: 'PoxCycle' },
);
export type PoxCycle = Static<typeof PoxCycle>;

export const renderPoxCycle = (row: PoxCycleRow): PoxCycle => ({
  block_height: row.height,
  index_block_hash: toHex(row.index_hash),
  cycle_number: row.cycle,
  total_weight: row.weight,
  total_stacked_amount: row.stacked,
  total_signers: row.signers,
});

export const PoxSigner = Type.Object(
  {
    signing_key: Type.String(),
    signer_address: Type.String({ description: 'The account that has the same key.' }),
    weight: Type.Integer(),
    stacked_amount: Type.String(),
    weight_percent: Type.Number(),
    stacked_amount_percent: Type.Number(),
    solo_stacker_count: Type.Integer(),
    pooled_stacker_count: Type.Integer(),
  },
  { title: 'PoxSigner' },
);
export type PoxSigner = Static<typeof PoxSigner>;

export function renderPoxSigner(row: PoxSignerRow, { mainnet }: Network): PoxSigner {
  const version = AddressVersion[mainnet ? 'mainnetSingleSig' : 'testnetSingleSig'];
  return {
    signing_key: toHex(row.key),
    signer_address: encodeAddress(version, hash160(row.key)),
    weight: row.weight,
    stacked_amount: row.stacked,
    weight_percent: row.weight_percent,
    stacked_amount_percent: row.stacked_percent,
    solo_stacker_count: row.solo,
    pooled_stacker_count: row.pooled,
  };
}

export const PoxStacker = Type.Object(
  {
    stacker_address: Type.String(),
    stacked_amount: Type.String(),
    pox_address: Type.String(),
    stacker_type: Type.Union([Type.Literal('solo'), Type.Literal('pooled')]),
  },
  { title: 'PoxStacker' },
);
export type PoxStacker = Static<typeof PoxStacker>;

/** One page of stackers; of those with equal amounts the addresses are in order. */
export function renderPoxStackers(
  rows: PoxStackerRow[],
  network: Network,
  { limit, offset }: { limit: number; offset: number },
): PoxStacker[] {
  const sorted = rows
    .map(row => ({ row, amount: BigInt(row.amount), text: principalFromBytes(row.stacker) }))
    .sort((a, b) => (a.amount === b.amount ? (a.text < b.text ? -1 : 1) : a.amount > b.amount ? -1 : 1));
  return sorted.slice(offset, offset + limit).map(({ row, text }) => ({
    stacker_address: text,
    stacked_amount: row.amount,
    pox_address: bitcoinAddress(unpackPoxAddress(row.address), network) ?? '',
    stacker_type: row.pooled ? 'pooled' : 'solo',
  }));
}
