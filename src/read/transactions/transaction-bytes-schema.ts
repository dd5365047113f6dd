import { decodeAccepted, senderPrincipal } from '@cairn-stacks/codec/transaction/transaction';
import { type BurnOperationRow, renderBurnOperation } from './burn-operation-schema.ts';
import { renderSigned, type SignedFields } from './signed-transaction-schema.ts';
import { type PayloadFields, type PayloadOptions, renderPayload } from './transaction-payload-schema.ts';

/** What a transaction says by itself, before anyone mined it. */
export function renderSignedBytes(
  { tx_id, raw }: { tx_id: Buffer; raw: Buffer },
  options: PayloadOptions,
): SignedFields & PayloadFields {
  const transaction = decodeAccepted(raw);
  const payload = renderPayload(transaction.payload, senderPrincipal(transaction), options);
  return Object.assign(renderSigned(tx_id, transaction), payload);
}

/** The fields of a mined transaction by its bytes; it may be an unsigned burn operation. */
export const renderBytes = (row: BurnOperationRow & { raw: Buffer }, options: PayloadOptions) =>
  row.raw.length === 1 ? renderBurnOperation(row, options) : renderSignedBytes(row, options);
