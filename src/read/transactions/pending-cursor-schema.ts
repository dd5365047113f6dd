import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import type { PendingCursor, PendingRow } from '../mempool/pending-summaries-queries.ts';

export const pendingPattern = '^\\d+:(0x)?[a-fA-F0-9]{64}$';

const latest = 2_147_483_647;

/** `receipt_time:tx_id`. */
export const pendingCursor = (row: PendingRow): string => `${row.received_at}:${toHex(row.tx_id)}`;

/** The place in the mempool that a cursor names; nothing has to wait there. */
export function readPendingCursor(text: string | undefined): PendingCursor | undefined {
  if (text === undefined) return undefined;
  const [seconds = '', id = ''] = text.split(':');
  return { receivedAt: Math.min(Number(seconds), latest), txId: fromHex(id) };
}
