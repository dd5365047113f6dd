import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { type Static, Type } from 'typebox';
import { keysOf } from '../../chain/sbtc/registry-print.ts';
import { BlockPosition, renderBlockPosition } from '../events/event-position-schema.ts';
import type { EventPositionRow } from '../events/positions-queries.ts';
import { CursorList } from '../pages/cursor-list-schema.ts';
import { walletAddress } from './bitcoin-recipient.ts';
import type { KeyRotationRow } from './key-rotations-queries.ts';

const signers = {
  address: Type.String({ description: 'Account that the signers send their transactions from.' }),
  threshold: Type.Integer({ description: 'Number of signatures that are needed.' }),
  aggregate_key: Type.String({ description: 'Public key of all signers together.' }),
  keys: Type.Array(Type.String(), { description: 'Public keys of the signers.' }),
  wallet_address: Type.Union([Type.String(), Type.Null()], {
    description: 'Bitcoin address that holds the bitcoin under this key; null if the key is none.',
  }),
};

export const SbtcSigners = Type.Object(
  { ...signers, since: BlockPosition },
  { title: 'SbtcSigners', description: 'The present signers.' },
);
const KeyRotation = Type.Object(
  { ...signers, tx_id: Type.String({ description: 'Id of the transaction.' }), block: BlockPosition },
  { title: 'SbtcKeyRotation' },
);
export const KeyRotationList = CursorList(KeyRotation, 'SbtcKeyRotationList');

const renderKeys = (row: KeyRotationRow, network: Network) => ({
  address: principalFromBytes(row.signer),
  threshold: row.threshold,
  aggregate_key: toHex(row.aggregate_key),
  keys: keysOf(row.keys).map(key => toHex(key)),
  wallet_address: walletAddress(row.aggregate_key, network),
});

export const renderSigners = (
  row: EventPositionRow & KeyRotationRow,
  network: Network,
): Static<typeof SbtcSigners> => ({
  ...renderKeys(row, network),
  since: renderBlockPosition(row),
});

export const renderKeyRotation = (
  row: EventPositionRow & KeyRotationRow,
  network: Network,
): Static<typeof KeyRotation> => ({
  ...renderKeys(row, network),
  tx_id: toHex(row.tx_id),
  block: renderBlockPosition(row),
});
