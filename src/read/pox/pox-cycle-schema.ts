import { AddressVersion, encodeAddress } from '@cairn-stacks/codec/address/c32';
import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { hash160 } from '@cairn-stacks/codec/hash';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { type Static, Type } from 'typebox';
import type { PoxCycleRow, PoxSignerRow } from './cycles-queries.ts';
import { bitcoinAddress, unpackPoxAddress } from './pox-address-schema.ts';
import type { PoxStackerRow } from './stackers-queries.ts';

export const PoxCycle = Type.Object(
  {
    block_height: Type.Integer({ description: 'Height of the block that fixed the signer set.' }),
    index_block_hash: Type.String({ description: 'Index block hash of that block.' }),
    cycle_number: Type.Integer({ description: 'Number of the reward cycle.' }),
    total_weight: Type.Integer({ description: 'Sum of the weights of all signers.' }),
    total_stacked_amount: Type.String({ description: 'Stacked micro-STX of all signers.' }),
    total_signers: Type.Integer({ description: 'Number of signers.' }),
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
    signing_key: Type.String({ description: 'Public key of the signer: 33 bytes in hex.' }),
    signer_address: Type.String({ description: 'Stacks address of the signing key.' }),
    weight: Type.Integer({ description: 'Number of reward slots.' }),
    stacked_amount: Type.String({ description: 'Stacked micro-STX.' }),
    weight_percent: Type.Number({ description: 'Share of the total weight, in percent.' }),
    stacked_amount_percent: Type.Number({ description: 'Share of the total stacked amount, in percent.' }),
    solo_stacker_count: Type.Integer({ description: 'Number of solo stackers.' }),
    pooled_stacker_count: Type.Integer({ description: 'Number of stackers in pools.' }),
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
    stacker_address: Type.String({ description: 'Principal of the stacker.' }),
    stacked_amount: Type.String({ description: 'Stacked micro-STX.' }),
    pox_address: Type.String({ description: 'Bitcoin reward address; empty if unknown.' }),
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
