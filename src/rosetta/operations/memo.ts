import { memoText } from '../../chain/memo.ts';
import { bytesOf, fieldsOf, itemsOf } from '../../chain/print-fields.ts';
import { argumentsOf, type Call } from '../call-arguments.ts';

/** The contracts that exchanges use for batch payments with memos. */
const BULK_SENDERS = new Set([
  'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.send-many-memo',
  'ST3F1X4QGV2SM8XD96X45M6RTQXKA1PZJZZCQAB4B.send-many-memo',
]);

/** The memos of the payments of such a call, in order; undefined for any other call. */
export function bulkMemos(call: Call): (string | null)[] | undefined {
  if (!BULK_SENDERS.has(call.contract_id)) return undefined;
  const args = argumentsOf(call);
  const memo = (bytes: Uint8Array | undefined) => (bytes ? memoText(bytes) : null);
  if (call.function_name === 'send-many')
    return itemsOf(args[0]).map(item => memo(bytesOf(fieldsOf(item).get('memo'))));
  return call.function_name === 'send-stx-with-memo' ? [memo(bytesOf(args[2]))] : undefined;
}
