import { createHash } from 'node:crypto';
import { array, bytes, hexBytes, object, optionalText, text } from '../../node/json.ts';

/** One item of a `/new_mempool_tx` message: bytes with their id, or an item that is not hex text. */
export type Arrival = { raw: Buffer; txId: Buffer; key: string } | { unread: string };

/** `/drop_mempool_tx`: transactions that a node no longer holds. */
export type Drop = { keys: string[]; reason: string; replacedBy: string };

/** `/new_mempool_tx`: raw transactions. They are not decoded here: most are mined or known by the time it would matter. */
export function readArrivals(value: unknown): Arrival[] {
  return array(value, 'mempool transactions').map(item => {
    if (typeof item !== 'string') return { unread: JSON.stringify(item) ?? '' };
    const raw = hexBytes(item);
    if (raw === undefined) return { unread: item };
    const txId = createHash('sha512-256').update(raw).digest();
    return { raw, txId, key: txId.toString('hex') };
  });
}

/** `/drop_mempool_tx`; ids with or without 0x. */
export function readDrop(value: unknown): Drop {
  const json = object(value, 'dropped transactions');
  const replacedBy = optionalText(json, 'new_txid');
  return {
    keys: array(json.dropped_txids, 'dropped_txids').map(id => bytes(id, 'dropped_txids', 32).toString('hex')),
    reason: text(json, 'reason'),
    replacedBy: replacedBy === undefined ? '' : bytes(replacedBy, 'new_txid', 32).toString('hex'),
  };
}
