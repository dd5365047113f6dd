import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import type { StakingTopic } from '../../chain/pox/staking-topic.ts';
import {
  boolOf,
  bytesOf,
  type Fields,
  fieldsOf,
  principalOf,
  printedFields,
  textOf,
  uintOf,
} from '../../chain/print-fields.ts';
import type { BurnTimes } from '../burn/burn-times-queries.ts';
import {
  BitcoinBlockPosition,
  BlockPosition,
  renderBitcoinBlockPosition,
  renderBlockPosition,
  renderTransactionPosition,
  TransactionPosition,
} from '../events/event-position-schema.ts';
import type { EventPositionRow } from '../events/positions-queries.ts';
import { CursorList } from '../pages/cursor-list-schema.ts';
import { type BondSchedule, bondSchedule, type ScheduleClock, scheduleOf } from './bond-schedule-schema.ts';
import type { BondEventRow } from './events-queries.ts';
import { Locked } from './position-schema.ts';

const text = Type.String();
const Btc = Type.Object({ btc: Type.String({ description: 'Amount in satoshis.' }) });
const kind = Type.Union([Type.Literal('l1'), Type.Literal('l2')]);

const shapes = {
  'setup-bond': {
    parameters: Type.Object({
      target_rate_bps: Type.Integer({ description: 'Target rate in basis points.' }),
      stx_value_ratio: Type.Integer({
        description: 'Value of STX that counts for bitcoin, as the contract states it.',
      }),
      minimum_stx_ratio: Type.Integer({ description: 'Minimum ratio of micro-STX, as the contract states it.' }),
    }),
    early_unlock_bytes: text,
    schedule: bondSchedule,
  },
  'add-to-allowlist': { staker: text, max_sats: text },
  'register-for-bond': { staker: text, signer: text, type: kind, balances: Locked },
  'update-bond-registration': { staker: text, signer: text, old_signer: text, type: kind, balances: Locked },
  'announce-l1-early-exit': { staker: text, signer: text, released: Btc },
  'unstake-sbtc': { staker: text, signer: text, withdrawn: Btc, remaining: Btc },
  'bond-distribution': {
    calculation: Type.Object({
      bitcoin_height: Type.Integer({ description: 'Height of the Bitcoin block of the calculation.' }),
      reward_cycle: Type.Integer({ description: 'Number of the reward cycle.' }),
    }),
    target_yield: text,
    rewards: Btc,
    staked: Btc,
    accrued_rewards_per_sat: text,
    cumulative_rewards_per_sat: text,
  },
  'claim-staker-rewards-for-signer': {
    signer_manager: text,
    staker: text,
    reward_cycle: Type.Integer({ description: 'Number of the reward cycle.' }),
    claimed: Btc,
  },
} as const;
type BondTopic = keyof typeof shapes;

const place = {
  bond_index: Type.Integer({ description: 'Index of the bond.' }),
  transaction: TransactionPosition,
  block: BlockPosition,
  bitcoin_block: BitcoinBlockPosition,
};

const BondEvent = Type.Union(
  Object.entries(shapes).map(([name, data]) =>
    Type.Object({ name: Type.Literal(name), ...place, data: Type.Object(data) }, { title: `BondEvent-${name}` }),
  ),
  { title: 'BondEvent' },
);
export const BondEventList = CursorList(BondEvent, 'BondEventList');

/** Burn heights that a row shows the times of. */
export function heightsOf(row: BondEventRow, clock: Pick<ScheduleClock, 'prepare'>): number[] {
  const fields = printedFields(row.value);
  if (textOf(fields?.get('topic')) !== 'setup-bond') return [];
  const { start, unlock } = boundsOf(fields!);
  return [start - (clock.prepare ?? 0), start, unlock];
}

const number = (fields: Fields, key: string) => Number(uintOf(fields.get(key)) ?? 0n);
const amount = (fields: Fields, key: string) => String(uintOf(fields.get(key)) ?? 0n);
const name = (fields: Fields, key: string) => principalOf(fields.get(key)) ?? '';

const boundsOf = (fields: Fields) => ({
  start: number(fields, 'bond-start-height'),
  unlock: number(fields, 'unlock-burn-height'),
  firstCycle: number(fields, 'first-reward-cycle'),
  unlockCycle: number(fields, 'unlock-cycle'),
});

export function renderBondEvent(row: EventPositionRow & BondEventRow, times: BurnTimes, clock: ScheduleClock) {
  const fields = printedFields(row.value) ?? new Map();
  const topic = (textOf(fields.get('topic')) ?? '') as StakingTopic as BondTopic;
  return {
    name: topic,
    bond_index: number(fields, 'bond-index'),
    transaction: renderTransactionPosition(row),
    block: renderBlockPosition(row),
    bitcoin_block: renderBitcoinBlockPosition(row),
    data: dataOf(topic, fields, row, scheduleOf(boundsOf(fields), times, clock)),
  } as Static<typeof BondEvent>;
}

function dataOf(topic: BondTopic, fields: Fields, { calculation }: BondEventRow, schedule: BondSchedule) {
  const staker = name(fields, 'staker');
  const signer = name(fields, 'signer');
  const type = boolOf(fields.get('is-l1-lock')) ? 'l1' : 'l2';
  const sats = fields.has('sats-total') ? amount(fields, 'sats-total') : amount(fields, 'amount-sats');
  const balances = { btc: sats, stx: amount(fields, 'amount-ustx') };
  switch (topic) {
    case 'setup-bond':
      return {
        parameters: {
          target_rate_bps: number(fields, 'target-rate'),
          stx_value_ratio: number(fields, 'stx-value-ratio'),
          minimum_stx_ratio: number(fields, 'min-ustx-ratio'),
        },
        early_unlock_bytes: toHex(bytesOf(fields.get('early-unlock-bytes')) ?? new Uint8Array(0)),
        schedule,
      };
    case 'add-to-allowlist':
      return { staker, max_sats: amount(fields, 'max-sats') };
    case 'register-for-bond':
      return { staker, signer, type, balances };
    case 'update-bond-registration':
      return { staker, signer, old_signer: name(fields, 'old-signer'), type, balances };
    case 'announce-l1-early-exit':
      return { staker, signer, released: { btc: amount(fields, 'amount-sats-released') } };
    case 'unstake-sbtc':
      return {
        staker,
        signer,
        withdrawn: { btc: amount(fields, 'amount-withdrawn-sats') },
        remaining: { btc: amount(fields, 'new-amount-sats') },
      };
    case 'bond-distribution': {
      const calculated = calculation ? (printedFields(calculation) ?? fieldsOf(undefined)) : fieldsOf(undefined);
      return {
        calculation: {
          bitcoin_height: number(calculated, 'calculation-height'),
          reward_cycle: number(calculated, 'stx-cycle'),
        },
        target_yield: amount(fields, 'target-yield'),
        rewards: { btc: amount(fields, 'bond-rewards') },
        staked: { btc: amount(fields, 'bond-staked-sats') },
        accrued_rewards_per_sat: amount(fields, 'accrued-rewards-per-sat'),
        cumulative_rewards_per_sat: amount(fields, 'cumulative-rewards-per-sat'),
      };
    }
    case 'claim-staker-rewards-for-signer':
      return {
        signer_manager: name(fields, 'signer-manager'),
        staker,
        reward_cycle: number(fields, 'reward-cycle'),
        claimed: { btc: amount(fields, 'rewards-claimed') },
      };
  }
}
