import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { type Static, Type } from 'typebox';
import { BlockPosition, renderBlockPosition } from '../events/event-position-schema.ts';
import { Locked } from './position-schema.ts';
import type { LockRow } from './signer-stakers-queries.ts';
import type { SignerStakerRow } from './signers-queries.ts';
import type { Span } from './staker-history-view.ts';

const asked = 'Present with `cycle` or `include`.';

export const SignerStaker = Type.Object(
  {
    staker: Type.String({ description: 'Principal of the staker.' }),
    types: Type.Array(Type.Union([Type.Literal('stx'), Type.Literal('btc')])),
    staked: Type.Optional(Locked),
    bond_index: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], {
        description: `Index of the bond; null where STX alone are staked. ${asked}`,
      }),
    ),
    first_cycle: Type.Optional(
      Type.Integer({ description: `First cycle of the position with this signer manager. ${asked}` }),
    ),
    last_cycle: Type.Optional(
      Type.Integer({ description: `Last cycle of the position with this signer manager. ${asked}` }),
    ),
    unlock_cycle: Type.Optional(Type.Integer({ description: `Cycle at whose start the STX are unlocked. ${asked}` })),
    locked_at: Type.Optional(BlockPosition),
    lock_bitcoin_height: Type.Optional(
      Type.Integer({ description: `Height of the Bitcoin block at which the lock began. ${asked}` }),
    ),
    unlock_bitcoin_height: Type.Optional(
      Type.Integer({ description: `Height of the Bitcoin block at which the lock ends. ${asked}` }),
    ),
    active: Type.Optional(
      Type.Boolean({
        description: `Whether the position counts for the signer manager in the present cycle. ${asked}`,
      }),
    ),
    unclaimed: Type.Optional(
      Type.Object(
        {
          btc: Type.String({
            description:
              'Satoshis of all cycles with this signer manager that the staker has not claimed, also those that the ' +
              'signer manager has to claim first.',
          }),
        },
        { title: 'UnclaimedRewards' },
      ),
    ),
  },
  { title: 'SignerStaker' },
);
export type SignerStaker = Static<typeof SignerStaker>;

export const renderSignerStaker = (row: SignerStakerRow): SignerStaker => ({
  staker: principalFromBytes(row.staker),
  types: [...(row.stx ? (['stx'] as const) : []), ...(row.btc ? (['btc'] as const) : [])],
});

/** What a staker has with a signer, and from which cycle to which. */
export type StakerPosition = {
  span: Span;
  first: number;
  last: number;
  isActive: boolean;
  sats: bigint;
  unclaimed: bigint;
};

export const renderStakerPosition = (
  staker: string,
  { span, first, last, isActive, sats, unclaimed }: StakerPosition,
  lock: LockRow,
): SignerStaker => ({
  staker,
  types: [span.term.bond < 0 ? 'stx' : 'btc'],
  staked: { btc: String(sats), stx: String(span.term.stx) },
  bond_index: span.term.bond < 0 ? null : span.term.bond,
  first_cycle: first,
  last_cycle: last,
  unlock_cycle: span.unlockCycle,
  locked_at: renderBlockPosition(lock),
  lock_bitcoin_height: lock.burn_height,
  unlock_bitcoin_height: span.unlockHeight,
  active: isActive,
  unclaimed: { btc: String(unclaimed) },
});
