import { outputScript } from '@cairn-stacks/codec/bitcoin/output-script';
import { type Static, Type } from 'typebox';
import { type SweepState, sweepStates } from '../../chain/sbtc/bitcoin-output.ts';
import type { BitcoinSideRow } from './bitcoin-queries.ts';
import { outputVersionOf } from './bitcoin-recipient.ts';
import type { DepositRow } from './deposits-queries.ts';
import type { WithdrawalRow } from './withdrawals-queries.ts';

const known = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const stateNames = Object.keys(sweepStates) as SweepState[];
const sweepField = known(
  Type.Enum(stateNames),
  'Where the Bitcoin node finds the sweep; null if it was not asked or knows another chain.',
);

export const DepositBitcoin = Type.Object(
  {
    gross: known(Type.String(), 'Satoshis of the output.'),
    fee: known(Type.String(), 'Its share of the fee of the sweep in satoshis: `gross` less what was minted.'),
    max_fee: known(Type.String(), 'Satoshis that the depositor allowed for the fee.'),
    reclaim_height: known(
      Type.Integer(),
      'Bitcoin height from which the depositor could have taken the bitcoin back, had it not been swept.',
    ),
    swept: known(Type.Boolean(), 'Whether the sweep spends this output.'),
    sweep: sweepField,
  },
  { title: 'SbtcDepositBitcoin' },
);

export const WithdrawalBitcoin = Type.Object(
  {
    paid: known(Type.String(), 'Satoshis of the output that the sweep pays; 0 if it has no such output.'),
    pays_recipient: known(Type.Boolean(), 'Whether that output pays the whole amount to the recipient.'),
    sweep: sweepField,
  },
  { title: 'SbtcWithdrawalBitcoin' },
);

const stateOf = ({ side_sweep: state }: BitcoinSideRow) => stateNames.find(name => sweepStates[name] === state) ?? null;
const anyKnown = <T extends object>(facts: T): T | null =>
  Object.values(facts).some(value => value !== null) ? facts : null;

/** The Bitcoin side of a deposit; null if nothing is known of it. */
export function renderDepositBitcoin(row: DepositRow): Static<typeof DepositBitcoin> | null {
  const { side_amount: proven, side_told: told, side_mined: mined } = row;
  // Whoever is wrong about the amount, which the bytes prove, is believed nothing else.
  const believed = proven === null || told === null || proven === told;
  const gross = proven ?? told;
  const lock = believed ? row.side_lock : null;
  const fee = gross === null ? null : BigInt(gross) - BigInt(row.amount);
  return anyKnown({
    gross,
    fee: fee === null || fee < 0n ? null : String(fee),
    max_fee: believed ? row.side_max_fee : null,
    reclaim_height: mined === null || lock === null ? null : mined + lock,
    swept: row.side_swept,
    sweep: stateOf(row),
  });
}

/** The Bitcoin side of an accepted withdrawal; null if nothing is known of it. */
export function renderWithdrawalBitcoin(row: WithdrawalRow): Static<typeof WithdrawalBitcoin> | null {
  const { side_amount: paid, side_script: script } = row;
  return anyKnown({
    paid,
    pays_recipient: paid === null || script === null ? null : paid === row.amount && isPaidTo(row, script),
    sweep: stateOf(row),
  });
}

function isPaidTo({ version, hash }: WithdrawalRow, script: Buffer): boolean {
  const number = outputVersionOf({ version, hash });
  return number !== undefined && script.equals(outputScript({ version: number, hash }));
}
