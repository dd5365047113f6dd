import type { RegistryPrint } from '../../chain/sbtc/registry-print.ts';
import { withdrawalStatuses } from '../../chain/sbtc/withdrawal-status.ts';
import { latestRow } from '../rows/current-values.ts';
import type { HistoryTable } from '../rows/history-table.ts';
import type { Rows } from '../rows/projection.ts';
import type { RunningTotal } from '../rows/running-total.ts';
import type { CurrentTable } from '../rows/table-kinds.ts';

export const withdrawalStatesTable: HistoryTable = {
  name: 'sbtc_withdrawal_states',
  columns: {
    height: 'int4',
    event_index: 'int4',
    request_id: 'int4',
    request_height: 'int4',
    request_index: 'int4',
    request_burn_height: 'int4',
    sender: 'principal',
    vout: 'int4',
    burn_height: 'int4',
    place: 'int2',
    request_place: 'int2',
    registry: 'int2',
    status: 'int2',
    version: 'int2',
    amount: 'numeric',
    max_fee: 'numeric',
    fee: 'numeric',
    hash: 'bytea',
    burn_hash: 'bytea',
    sweep_tx_id: 'bytea',
  },
  key: ['registry', 'request_id'],
  order: ['height', 'place', 'event_index'],
};

const withdrawalsTable: CurrentTable = {
  name: 'sbtc_withdrawals',
  columns: {
    height: 'int4',
    event_index: 'int4',
    request_id: 'int4',
    sender: 'principal',
    place: 'int2',
    registry: 'int2',
    status: 'int2',
    version: 'int2',
    hash: 'bytea',
  },
  key: ['registry', 'request_id'],
};

/** The present state of each withdrawal. */
export const presentWithdrawals = latestRow({
  table: withdrawalsTable,
  history: withdrawalStatesTable,
  order: ['height', 'place', 'event_index'],
  values: {
    height: 'h.request_height',
    event_index: 'h.request_index',
    sender: 'h.sender',
    place: 'h.request_place',
    status: 'h.status',
    version: 'h.version',
    hash: 'h.hash',
  },
});

/** Where a print stands. */
export type PrintPosition = { height: number; place: number; index: number };

/** What a withdrawal was requested as, and how far it is; undefined before its request. */
export type Withdrawal = {
  status: number;
  at: PrintPosition;
  burnHeight: number;
  sender: number;
  version: number;
  hash: Uint8Array;
  amount: bigint;
  maxFee: bigint;
};

const span = 0x8000_0000;

/** The key of a request: numbers are given by each registry. */
export const withdrawalKey = (registry: number, request: number): number => registry * span + request;

/** The state of each withdrawal after its last event. */
export const withdrawalStates: RunningTotal<number, { known: Withdrawal | undefined }> = {
  history: withdrawalStatesTable,
  values: [
    ...['status', 'request_height', 'request_place', 'request_index', 'request_burn_height', 'sender', 'version'],
    ...['hash', 'amount', 'max_fee'],
  ],
  toColumns: key => {
    const registry = Math.floor(key / span);
    return [registry, key - registry * span];
  },
  toKey: row => withdrawalKey(row.registry, row.request_id),
  initial: () => ({ known: undefined }),
  read: row => ({
    known: {
      status: row.status,
      at: { height: row.request_height, place: row.request_place, index: row.request_index },
      burnHeight: row.request_burn_height,
      sender: row.sender,
      version: row.version,
      hash: row.hash,
      amount: BigInt(row.amount),
      maxFee: BigInt(row.max_fee),
    },
  }),
};

type Key = { registry: number; request: number };

/** Adds the rows of a withdrawal after an event. */
export function addState(
  rows: Rows,
  { registry, request }: Key,
  { height, place, index }: PrintPosition,
  { status, at, burnHeight, sender, version, hash, amount, maxFee }: Withdrawal,
  acceptance?: Extract<RegistryPrint, { kind: 'acceptance' }>,
): void {
  const { sweep, vout = null, fee = null } = acceptance ?? {};
  rows.add(withdrawalStatesTable, [
    ...[height, index, request, at.height, at.index, burnHeight, sender, vout, sweep?.burnHeight ?? null],
    ...[place, at.place, registry, status, version, amount, maxFee, fee],
    ...[hash, sweep?.burnHash ?? null, sweep?.txId ?? null],
  ]);
  rows.set(withdrawalsTable, `${registry} ${request}`, [
    ...[at.height, at.index, request, sender, at.place, registry, status, version],
    hash,
  ]);
}

/** What comes of a pending withdrawal. */
export const outcomes = { acceptance: withdrawalStatuses.accepted, rejection: withdrawalStatuses.rejected } as const;
