import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import type { Network } from '@cairn-stacks/codec/network';
import { type Static, Type } from 'typebox';
import { sbtcContract } from '../../chain/sbtc/registry.ts';
import type { EventPositionRow } from '../events/positions-queries.ts';
import { renderSigners, SbtcSigners } from './key-rotation-schema.ts';
import type { KeyRotationRow } from './key-rotations-queries.ts';
import type { SbtcTotalsRow } from './summary-queries.ts';

const Sum = Type.Object(
  {
    count: Type.Integer({ description: 'How many.' }),
    total: Type.String({ description: 'Sum of their amounts in satoshis, without fees.' }),
  },
  { title: 'SbtcSum' },
);
const amount = (description: string) => Type.String({ description });

export const SbtcSummary = Type.Object(
  {
    deposits: Sum,
    withdrawals: Type.Object({
      pending: Sum,
      accepted: Sum,
      rejected: Sum,
      fees: amount('Satoshis that the sweeps of accepted withdrawals cost.'),
    }),
    supply: Type.Object(
      {
        spendable: amount('Satoshis that their owners may spend.'),
        locked: amount('Satoshis that wait for a withdrawal.'),
        total: amount('Both together: what the token contract calls its supply.'),
      },
      { description: 'sBTC in existence, minted less burnt.' },
    ),
    signers: Type.Union([SbtcSigners, Type.Null()], { description: 'Null before the first rotation of keys.' }),
    contracts: Type.Object(
      { governance: Type.String(), deposit: Type.String(), withdrawal: Type.String() },
      { description: 'The contracts that may change the registry.' },
    ),
  },
  { title: 'SbtcSummary' },
);

const none: SbtcTotalsRow = {
  ...{ deposits: 0, requests: 0, accepted: 0, rejected: 0 },
  ...{ deposited: '0', requested: '0', withdrawn: '0', returned: '0', fees: '0' },
};

export type SummaryParts = {
  registry: number;
  network: Network;
  totals: SbtcTotalsRow | undefined;
  supplies: ReadonlyMap<string, string>;
  signers: (EventPositionRow & KeyRotationRow) | undefined;
  contracts: ReadonlyMap<number, Buffer>;
};

export function renderSummary(parts: SummaryParts): Static<typeof SbtcSummary> {
  const { registry, network, totals = none, supplies, signers, contracts } = parts;
  const spendable = BigInt(supplies.get('sbtc-token') ?? 0);
  const locked = BigInt(supplies.get('sbtc-token-locked') ?? 0);
  const waiting = BigInt(totals.requested) - BigInt(totals.withdrawn) - BigInt(totals.returned);
  const contractOf = (role: number, initial: string) => {
    const changed = contracts.get(role);
    return changed ? principalFromBytes(changed) : sbtcContract(registry, initial);
  };
  return {
    deposits: { count: totals.deposits, total: totals.deposited },
    withdrawals: {
      pending: { count: totals.requests - totals.accepted - totals.rejected, total: String(waiting) },
      accepted: { count: totals.accepted, total: totals.withdrawn },
      rejected: { count: totals.rejected, total: totals.returned },
      fees: totals.fees,
    },
    supply: { spendable: String(spendable), locked: String(locked), total: String(spendable + locked) },
    signers: signers ? renderSigners(signers, network) : null,
    contracts: {
      governance: contractOf(0, 'sbtc-bootstrap-signers'),
      deposit: contractOf(1, 'sbtc-deposit'),
      withdrawal: contractOf(2, 'sbtc-withdrawal'),
    },
  };
}
