import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { eventCodes } from '../../chain/event.ts';
import { payloadIds, transactionType } from '../../chain/transaction.ts';
import { jsonOfHex } from '../../http/decoded-values.ts';
import { assetId } from '../events/event-schema.ts';
import { eventTypeOf } from '../events/event-types.ts';
import { feeCode, rewardCode } from '../filters/filter.ts';
import { isoTime } from '../pages/time.ts';
import type { PastHolder } from '../tokens/past-holders-queries.ts';
import { pastHolderCursor } from '../tokens/ranked-holder-schema.ts';
import { minedStatus } from '../transactions/transaction-schema.ts';
import type { ExportFormat } from './export-params.ts';
import type { ExportedEventRow, ExportedTransactionRow } from './export-queries.ts';
import type { ListedEventRow, ListedTransactionRow } from './list-export-queries.ts';

/** One line of an export; amounts are texts in the smallest unit, what is absent is null. `json` is any JSON. */
export type ExportRecord = Readonly<Record<string, unknown>>;

/** Adds the column `json` to events: a Clarity value as plain JSON. */
export const withJson = <Row>({ names, render }: Columns<Row>): Columns<Row> => ({
  names: [...names, 'json'],
  render(row) {
    const record = render(row);
    return { ...record, json: typeof record.value === 'string' ? jsonOfHex(record.value) : null };
  },
});

/** What a line of an export has, in its order. */
export type Columns<Row> = { names: readonly string[]; render: (row: Row) => ExportRecord };

const text = (principal: Uint8Array | null) => (principal === null ? null : principalFromBytes(principal));

const cursorOf = ({ height, place, event_index }: { height: number; place: number; event_index: number }) =>
  `${height}:${place}:${event_index}`;

/** Of a transaction, whoever asks. */
export const listedTransactionNames = [
  'cursor',
  'block_height',
  'block_time',
  'tx_id',
  'tx_type',
  'tx_status',
  'sender_address',
  'nonce',
  'fee_paid',
  'recipient_address',
  'contract_id',
  'function_name',
] as const;

/** Of a transaction of an account. */
export const transactionColumnNames = [...listedTransactionNames, 'stx_sent', 'stx_received'] as const;

export const renderTransactionRecord = (row: ExportedTransactionRow): ExportRecord => ({
  ...renderListedTransaction(row),
  stx_sent: String(BigInt(row.sent) + BigInt(row.fee)),
  stx_received: row.received,
});

export function renderListedTransaction(row: ListedTransactionRow): ExportRecord {
  const isTransfer = row.type === payloadIds.token_transfer;
  const isOfContract = [payloadIds.contract_call, payloadIds.smart_contract, payloadIds.versioned_smart_contract].some(
    id => id === row.type,
  );
  return {
    cursor: cursorOf(row),
    block_height: row.height,
    block_time: isoTime(row.time),
    tx_id: toHex(row.tx_id),
    tx_type: row.type === payloadIds.unknown ? 'unknown' : transactionType(row.type),
    tx_status: minedStatus(row),
    sender_address: principalFromBytes(row.sender),
    nonce: String(row.nonce),
    fee_paid: String(row.fee),
    recipient_address: isTransfer ? text(row.target) : null,
    contract_id: isOfContract ? text(row.target) : null,
    function_name: row.function,
  };
}

const eventStart = [
  'cursor',
  'block_height',
  'block_time',
  'tx_id',
  'event_index',
  'event_type',
  'asset',
  'contract_id',
] as const;
const eventEnd = ['sender_address', 'recipient_address', 'amount', 'value', 'memo', 'unlock_height'] as const;

/** Of an event of an account. */
export const eventColumnNames = [...eventStart, 'direction', ...eventEnd] as const;
/** Of an event, whoever asks. */
export const listedEventNames = [...eventStart, ...eventEnd] as const;

/** Kinds whose value is a Clarity value, and that have no amount. */
const valued = new Set<number>([eventCodes.nft_transfer, eventCodes.nft_mint, eventCodes.nft_burn, eventCodes.print]);

/** An event of an account, or a fee that it paid, or a reward. */
export const renderEventRecord = (row: ExportedEventRow): ExportRecord => ({
  ...startOfEvent(row),
  direction: directionOf(row),
  ...endOfEvent(row),
});

export const renderListedEvent = (row: ListedEventRow): ExportRecord => ({ ...startOfEvent(row), ...endOfEvent(row) });

function startOfEvent(row: ListedEventRow) {
  const { kind } = row;
  const isToken = kind >= eventCodes.ft_transfer && kind <= eventCodes.nft_burn;
  const isStx = !isToken && kind !== eventCodes.print;
  const hasIndex = kind !== feeCode && kind !== rewardCode;
  return {
    cursor: cursorOf(row),
    block_height: row.height,
    block_time: isoTime(row.time),
    tx_id: row.tx_id && toHex(row.tx_id),
    event_index: hasIndex ? row.event_index : null,
    event_type: typeOf(kind),
    asset: isToken ? assetId(row) : isStx ? 'STX' : null,
    contract_id: text(row.contract),
  };
}

function endOfEvent(row: ListedEventRow) {
  const { kind } = row;
  return {
    sender_address: text(row.sender),
    recipient_address: text(row.recipient),
    amount: valued.has(kind) ? null : row.amount,
    value: valued.has(kind) ? toHex(row.value) : null,
    memo: kind === eventCodes.stx_transfer && row.value.length > 0 ? toHex(row.value) : null,
    unlock_height: kind === eventCodes.stx_lock ? Number(row.value.toString()) : null,
  };
}

function typeOf(kind: number): string {
  if (kind === feeCode) return 'fee';
  if (kind === rewardCode) return 'mining_reward';
  const type = eventTypeOf(kind);
  if (type === undefined) throw new Error(`event kind ${kind} has no public name: queries leave such events out`);
  return type;
}

/** Where the asset went, as the account sees it; null where nothing moved. */
function directionOf({ kind, is_sender, is_recipient }: ExportedEventRow): 'in' | 'out' | 'self' | null {
  if (kind === eventCodes.print || kind === eventCodes.stx_lock) return null;
  if (is_sender && is_recipient) return 'self';
  return is_sender ? 'out' : 'in';
}

export const holderNames = ['cursor', 'principal', 'balance'] as const;

export const renderHolderRecord = (holder: PastHolder): ExportRecord => ({
  cursor: pastHolderCursor(holder),
  principal: holder.principal,
  balance: holder.balance,
});

/** The first line of a table. */
export const csvHeaderOf = (names: readonly string[]) => `${names.join(',')}\n`;

/** One line. */
export const renderLine = (format: ExportFormat, names: readonly string[], record: ExportRecord): string =>
  format === 'csv' ? `${names.map(name => quote(cellOf(record[name]))).join(',')}\n` : `${JSON.stringify(record)}\n`;

const cellOf = (value: unknown): string | number => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
};

/** Quotes what could end a field. */
export function quote(value: string | number | bigint): string {
  const plain = String(value);
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
