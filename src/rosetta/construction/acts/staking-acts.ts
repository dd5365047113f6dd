import { buffer, err, none, principal, some, uint } from '@cairn-stacks/codec/clarity/build';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { callPayload } from '@cairn-stacks/codec/transaction/build';
import { Type } from 'typebox';
import { RosettaError } from '../../errors.ts';
import { attempt, isPrincipalOf } from '../address.ts';
import { act } from './act.ts';
import { isContract } from './contract-acts.ts';

/** Staking through pox-5. */
const fromPox5 = { first: 5, last: 5 };
const LONGEST_CALLDATA = 500;
/** Hex of the largest lock-up: 10 outputs, each with its transaction and proof. */
const LONGEST_LOCKUP = 2_000_000;

const manager = Type.String({ maxLength: 200, description: 'The signer manager: a contract.' });
const signer_calldata = Type.Optional(
  Type.String({
    maxLength: 2 * LONGEST_CALLDATA + 2,
    description: 'Bytes for the signer manager in hex, at most 500.',
  }),
);
const count = Type.Integer({ minimum: 0, maximum: 4_294_967_295 });

/** Stakes STX alone. */
export const stake = act({
  type: 'stake',
  amount: 'required',
  versions: fromPox5,
  terms: Type.Object({ signer: manager, num_cycles: count, signer_calldata }),
  payload({ signer, num_cycles, signer_calldata }, { contract, amount, burnHeight, network }) {
    const args = [
      managerOf(signer, network),
      uint(amount),
      uint(num_cycles),
      uint(burnHeight),
      calldata(signer_calldata),
    ];
    return callPayload(contract, 'stake', args);
  },
});

/** Stakes more, longer, or with another signer; without an amount, no more. */
export const stakeUpdate = act({
  type: 'stake_update',
  amount: 'optional',
  versions: fromPox5,
  terms: Type.Object({
    signer: manager,
    old_signer: Type.Optional(manager),
    cycles_to_extend: Type.Optional(count),
    signer_calldata,
  }),
  payload({ signer, old_signer = signer, cycles_to_extend = 0, signer_calldata }, { contract, amount, network }) {
    const signers = [managerOf(signer, network), managerOf(old_signer, network)];
    return callPayload(contract, 'stake-update', [
      ...signers,
      uint(cycles_to_extend),
      uint(amount),
      calldata(signer_calldata),
    ]);
  },
});

/** Ends a stake with the present cycle. */
export const unstake = act({
  type: 'unstake',
  amount: 'none',
  versions: fromPox5,
  terms: Type.Object({ signer: manager }),
  payload: ({ signer }, { contract, network }) => callPayload(contract, 'unstake', [managerOf(signer, network)]),
});

/** Joins a bond, with sBTC or with bitcoin that are locked on the Bitcoin chain. */
export const registerForBond = act({
  type: 'register_for_bond',
  amount: 'required',
  versions: fromPox5,
  terms: Type.Object({
    bond_index: count,
    signer: manager,
    sats_total: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,39}$', description: 'Satoshis of sBTC; without `btc_lockup`.' }),
    ),
    btc_lockup: Type.Optional(
      Type.String({
        maxLength: LONGEST_LOCKUP,
        description: 'Outputs locked on Bitcoin: the `(ok …)` argument of the contract as a Clarity value in hex.',
      }),
    ),
    signer_calldata,
  }),
  payload({ bond_index, signer, sats_total, btc_lockup, signer_calldata }, { contract, amount, network }) {
    return callPayload(contract, 'register-for-bond', [
      uint(bond_index),
      managerOf(signer, network),
      uint(amount),
      lockupOf(sats_total, btc_lockup),
      calldata(signer_calldata),
    ]);
  },
});

/** The error branch of the argument holds satoshis of sBTC, the other one outputs on Bitcoin. */
function lockupOf(sats: string | undefined, lockup: string | undefined): ClarityValue {
  if ((sats === undefined) === (lockup === undefined)) throw new RosettaError(621, 'give sats_total or btc_lockup');
  if (lockup === undefined) return err(uint(BigInt(sats!)));
  const value = attempt(() => decodeClarity(fromHex(lockup)));
  if (value?.type !== 'ok') throw new RosettaError(621, 'btc_lockup must be a serialized (ok …) in hex');
  return value;
}

function managerOf(text: string, network: Network): ClarityValue {
  if (!isContract(text) || !isPrincipalOf(text, network)) {
    throw new RosettaError(621, 'a signer of pox-5 is a contract of this network, as ST….name');
  }
  return principal(text);
}

function calldata(hex: string | undefined): ClarityValue {
  if (hex === undefined) return none;
  const bytes = attempt(() => fromHex(hex));
  if (!bytes || bytes.length > LONGEST_CALLDATA) {
    throw new RosettaError(621, `signer_calldata must be at most ${LONGEST_CALLDATA} bytes in hex`);
  }
  return some(buffer(bytes));
}
