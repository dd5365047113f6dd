import { toHex } from '@cairn-stacks/codec/hex';
import { Type } from 'typebox';

/** A sweep, and what the Bitcoin chain has at its height. */
export type SweepRow = {
  sweep_tx_id: Buffer;
  sweep_burn_hash: Buffer;
  sweep_burn_height: number;
  /** Hash of the canonical Bitcoin block of that height; null where it is not known. */
  canonical_hash: Buffer | null;
  burn_tip: number | null;
};

const sweep = {
  tx_id: Type.String({ description: 'Id of the Bitcoin transaction of the signers, as Bitcoin explorers show it.' }),
  bitcoin_block_hash: Type.String({ description: 'Hash of the Bitcoin block that the signers named.' }),
  bitcoin_height: Type.Integer({ description: 'Height of that block.' }),
  confirmations: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Bitcoin blocks from that one to the tip, both included; 0 if a fork has orphaned it, null if it is unknown.',
  }),
  canonical: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'False if a fork of Bitcoin has orphaned the block: the sBTC stay all the same. Null if the block is unknown.',
  }),
};

export const DepositSweep = Type.Object(sweep, { title: 'SbtcDepositSweep' });
export const WithdrawalSweep = Type.Object(
  { ...sweep, vout: Type.Integer({ description: 'Number of the output that pays the recipient.' }) },
  { title: 'SbtcWithdrawalSweep' },
);

export function renderSweep(row: SweepRow) {
  const { canonical_hash, sweep_burn_hash: hash, sweep_burn_height: height, burn_tip } = row;
  const canonical = canonical_hash === null ? null : canonical_hash.equals(hash);
  const counted = canonical ? (burn_tip ?? height) - height + 1 : 0;
  return {
    tx_id: toHex(row.sweep_tx_id),
    bitcoin_block_hash: toHex(hash),
    bitcoin_height: height,
    confirmations: canonical === null ? null : counted,
    canonical,
  };
}
