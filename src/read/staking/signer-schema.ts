import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import type { Shape } from '../../compat/shape.ts';
import { renderStakingPlace, StakingPlace } from './position-schema.ts';
import type { CycleSignerRow, GrantRow, SignerManagerRow, StakingSignerRow } from './signers-queries.ts';

const signerFields = {
  signer: Type.String({ description: 'Principal of the signer manager.' }),
  signer_key: Type.String({ description: 'Public key of the signer: 33 bytes in hex.' }),
};
export const StakingSigner = Type.Object(signerFields, { title: 'StakingSigner' });
export type StakingSigner = Static<typeof StakingSigner>;
export const StakingSignerDetail = Type.Object(
  { ...signerFields, transaction: StakingPlace },
  { title: 'StakingSignerDetail' },
);
export type StakingSignerDetail = Static<typeof StakingSignerDetail>;

export const renderStakingSigner = (row: StakingSignerRow): StakingSigner => ({
  signer: principalFromBytes(row.signer),
  signer_key: toHex(row.key),
});

export const renderStakingSignerDetail = (row: StakingSignerRow, shape: Shape): StakingSignerDetail => ({
  ...renderStakingSigner(row),
  transaction: renderStakingPlace(row, shape),
});

const Manager = Type.Object(
  {
    signer_manager: Type.String({ description: 'Principal of the signer manager.' }),
    registered_at: Type.Object({
      block_height: Type.Integer({ description: 'Height of the block.' }),
      bitcoin_block_height: Type.Integer({ description: 'Height of the Bitcoin block.' }),
      tx_id: Type.String({ description: 'Id of the transaction.' }),
    }),
    granted_keys: Type.Array(
      Type.Object({
        signer_key: Type.String({ description: 'Public key of the signer: 33 bytes in hex.' }),
        auth_id: Type.String(),
        tx_id: Type.String({ description: 'Id of the transaction.' }),
      }),
    ),
    grant_active: Type.Boolean({ description: 'Whether the key in use is granted and not revoked.' }),
    pending_key_update: Type.Union([
      Type.Object({
        signer_key: Type.String({ description: 'Public key of the signer: 33 bytes in hex.' }),
        effective_cycle: Type.Integer({ description: 'Cycle from which the key is used.' }),
        tx_id: Type.String({ description: 'Id of the transaction.' }),
      }),
      Type.Null(),
    ]),
  },
  { title: 'CycleSignerManager' },
);

export const CycleSigner = Type.Object(
  {
    signing_key: Type.String({ description: 'Public key of the signer: 33 bytes in hex.' }),
    weight: Type.Object({
      amount: Type.Integer({ description: 'Number of reward slots.' }),
      percent: Type.Number({ description: 'Share of the total, in percent.' }),
    }),
    staked_stx: Type.Object({
      amount: Type.String({ description: 'Staked micro-STX.' }),
      percent: Type.Number({ description: 'Share of the total, in percent.' }),
    }),
    signer_managers: Type.Array(Manager),
  },
  { title: 'CycleSigner' },
);
export type CycleSigner = Static<typeof CycleSigner>;

export function renderCycleSigner(
  row: CycleSignerRow,
  cycle: number,
  managers: SignerManagerRow[],
  grants: GrantRow[],
): CycleSigner {
  return {
    signing_key: toHex(row.key),
    weight: { amount: row.weight, percent: row.weight_percent },
    staked_stx: { amount: row.stacked, percent: row.stacked_percent },
    signer_managers: managers
      .filter(manager => manager.key.equals(row.key))
      .map(manager => renderManager(manager, cycle, grants)),
  };
}

function renderManager(manager: SignerManagerRow, cycle: number, grants: GrantRow[]): Static<typeof Manager> {
  const own = grants.filter(grant => grant.signer.equals(manager.signer));
  const { next_key, next_tx_id } = manager;
  return {
    signer_manager: principalFromBytes(manager.signer),
    registered_at: {
      block_height: manager.height,
      bitcoin_block_height: manager.burn_height,
      tx_id: toHex(manager.tx_id),
    },
    granted_keys: own.map(({ key, auth_id, tx_id }) => ({ signer_key: toHex(key), auth_id, tx_id: toHex(tx_id) })),
    grant_active: own.some(grant => grant.key.equals(manager.key)),
    pending_key_update:
      next_key && next_tx_id
        ? { signer_key: toHex(next_key), effective_cycle: cycle + 1, tx_id: toHex(next_tx_id) }
        : null,
  };
}
