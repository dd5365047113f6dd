import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { toHex } from '@cairn-stacks/codec/hex';
import { Type } from 'typebox';
import { unpackCost } from '../../chain/execution-cost.ts';
import { statusName } from '../../chain/transaction.ts';
import { ClarityText } from '../contracts/clarity-schema.ts';
import { TransactionEvent } from '../events/event-schema.ts';
import { MinedStatus, newer, TransactionState } from '../pages/known-values.ts';
import { isoTime } from '../pages/time.ts';
import { type SignedFields, signedFields } from './signed-transaction-schema.ts';
import { renderBytes } from './transaction-bytes-schema.ts';
import { type PayloadFields, payloadFields } from './transaction-payload-schema.ts';
import type { Transaction as TransactionData } from './transactions-queries.ts';

const minedFields = {
  is_unanchored: Type.Boolean({
    description: 'Whether the transaction is in a microblock that no block has confirmed yet.',
  }),
  block_hash: Type.String({ description: 'Hash of the block; `0x` while `is_unanchored`.' }),
  parent_block_hash: Type.String({ description: 'Hash of the parent block.' }),
  block_height: Type.Integer({ description: 'Height of the block.' }),
  block_time: Type.Integer({
    description: 'Time of the block in Unix seconds; before Nakamoto the time of its burn block.',
  }),
  block_time_iso: Type.String({ description: 'The same time as UTC text.' }),
  burn_block_height: Type.Integer({ description: 'Height of the burn block.' }),
  burn_block_time: Type.Integer({ description: 'Time of the burn block in Unix seconds.' }),
  burn_block_time_iso: Type.String({ description: 'The same time as UTC text.' }),
  parent_burn_block_time: Type.Integer({ description: 'Time of the burn block of the parent block in Unix seconds.' }),
  parent_burn_block_time_iso: Type.String({ description: 'The same time as UTC text.' }),
  canonical: Type.Boolean({ description: 'Whether the block is part of the chain; false if a fork removed it.' }),
  tx_index: Type.Integer({ description: 'Index of the transaction in the block.' }),
  tx_status: MinedStatus,
  state: TransactionState,
  tx_result: ClarityText,
  event_count: Type.Integer({ description: 'Number of events.' }),
  microblock_hash: Type.String({
    description: 'Hash of the microblock; `0x` if the transaction is not in a microblock.',
  }),
  microblock_sequence: Type.Integer({
    description: 'Sequence of the microblock; 2147483647 if the transaction is not in a microblock.',
  }),
  microblock_canonical: Type.Boolean({ description: 'Whether the microblock is part of the chain.' }),
  execution_cost_read_count: Type.Integer({ description: 'Number of read operations.' }),
  execution_cost_read_length: Type.Integer({ description: 'Bytes read.' }),
  execution_cost_runtime: Type.Integer({ description: 'Runtime cost, in cost units.' }),
  execution_cost_write_count: Type.Integer({ description: 'Number of write operations.' }),
  execution_cost_write_length: Type.Integer({ description: 'Bytes written.' }),
  vm_error: Type.Union([Type.String(), Type.Null()], {
    description: 'Error of the Clarity VM; null if there was none.',
  }),
  events: Type.Array(TransactionEvent, { description: 'Events of the transaction. Empty in lists.' }),
};

const common = { ...signedFields, ...minedFields };

export const Transaction = Type.Union(
  [
    Type.Object({ ...common, ...payloadFields.token_transfer }, { title: 'TokenTransferTransaction' }),
    Type.Object({ ...common, ...payloadFields.contract_call }, { title: 'ContractCallTransaction' }),
    Type.Object({ ...common, ...payloadFields.smart_contract }, { title: 'SmartContractTransaction' }),
    Type.Object({ ...common, ...payloadFields.coinbase }, { title: 'CoinbaseTransaction' }),
    Type.Object({ ...common, ...payloadFields.tenure_change }, { title: 'TenureChangeTransaction' }),
    Type.Object({ ...common, ...payloadFields.poison_microblock }, { title: 'PoisonMicroblockTransaction' }),
    Type.Object({ ...common, ...payloadFields.unknown }, newer('UnknownTransaction')),
  ],
  { title: 'Transaction' },
);

const Mined = Type.Object(minedFields);
type MinedFields = Type.Static<typeof Mined>;
export type Transaction = SignedFields & MinedFields & PayloadFields;

export type TransactionOptions = {
  events?: TransactionEvent[];
  excludeFunctionArgs?: boolean | undefined;
  /** Leaves out what comes from the interface of the called contract: signatures, names and types of arguments. */
  withoutInterface?: boolean;
  /** Adds the state in one word. */
  withState?: boolean | undefined;
};

/** The one place where a mined transaction becomes a transaction of the API. */
export function renderTransaction(row: TransactionData, options: TransactionOptions = {}): Transaction {
  const { excludeFunctionArgs, events = [] } = options;
  const functions = options.withoutInterface ? undefined : row.functions;
  // A copy of so many fields would cost more than to make them.
  return Object.assign(
    renderBytes(row, { functions, excludeFunctionArgs }),
    renderMined(row, events, options.withState),
  );
}

function renderMined(row: TransactionData, events: TransactionEvent[], withState = false): MinedFields {
  const blockTime = blockTimeOf(row);
  const parentBurnTime = row.extras?.genesis === undefined ? row.parent_burn_time : 0;
  const cost = unpackCost(row.cost);
  return {
    block_hash: toHex(row.block_hash),
    block_height: row.height,
    block_time: blockTime,
    block_time_iso: isoTime(blockTime),
    burn_block_time: row.burn_time,
    burn_block_height: row.burn_height,
    burn_block_time_iso: isoTime(row.burn_time),
    parent_burn_block_time: parentBurnTime,
    parent_burn_block_time_iso: isoTime(parentBurnTime),
    canonical: row.canonical,
    tx_index: row.tx_index,
    tx_status: minedStatus(row),
    ...(withState && { state: minedStatus(row) === 'success' ? ('success' as const) : ('failed' as const) }),
    tx_result: clarityJson(row.result),
    event_count: row.event_count,
    parent_block_hash: toHex(row.parent_hash),
    is_unanchored: row.block_hash.length === 0,
    microblock_hash: toHex(row.microblock),
    microblock_sequence: row.microblock_sequence,
    microblock_canonical: row.microblock_canonical,
    execution_cost_read_count: cost.readCount,
    execution_cost_read_length: cost.readLength,
    execution_cost_runtime: Number(cost.runtime),
    execution_cost_write_count: cost.writeCount,
    execution_cost_write_length: cost.writeLength,
    vm_error: row.vm_error === '' ? null : row.vm_error,
    events,
  };
}

type Times = Pick<TransactionData, 'extras' | 'parent_burn_time' | 'block_time' | 'burn_time'>;

/** The time of a transaction's block, or of its burn block; what block 0 holds is shown in block 1 with its own time. */
export const blockTimeOf = (row: Times): number =>
  (row.extras?.genesis !== undefined && row.parent_burn_time) || row.block_time || row.burn_time;

/** The status; a status that the program does not know is shown as its text. */
export const minedStatus = ({ status, extras }: Pick<TransactionData, 'status' | 'extras'>): string =>
  statusName(status) ?? extras?.status ?? 'unknown';
