import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { payloadIds, transactionType } from '../../chain/transaction.ts';
import { isoTime } from '../pages/time.ts';
import type { KeyedChange } from '../principals/balance-change-schema.ts';
import type { HistoryRow } from '../principals/transaction-history-queries.ts';
import { minedStatus } from '../transactions/transaction-schema.ts';
import { quote } from './export-schema.ts';

/** The first line of the table. */
export const csvHeader =
  'block_height,block_time,tx_id,tx_type,tx_status,sender_address,nonce,fee_paid,asset,sent,received\n';

/** One line for each asset that a transaction moved for the principal; one line without an asset if it moved nothing. */
export function renderCsvLines(row: HistoryRow, changes: readonly KeyedChange[]): string {
  const { height, time, tx_id, type, sender, nonce, fee } = row;
  const start = [
    height,
    isoTime(time),
    toHex(tx_id),
    typeOf(type),
    minedStatus(row),
    principalFromBytes(sender),
    nonce,
    fee,
  ];
  const assets = changes.map(change => [change.identifier, change.sent, change.received]);
  if (assets.length === 0) assets.push(['', '0', '0']);
  return assets.map(asset => `${[...start, ...asset].map(quote).join(',')}\n`).join('');
}

/** The payload of an unknown type has no public name. */
const typeOf = (payloadId: number) => (payloadId === payloadIds.unknown ? 'unknown' : transactionType(payloadId));
