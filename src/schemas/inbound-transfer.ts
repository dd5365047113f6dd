import { type Static, Type } from 'typebox';
import { toHex } from '../codec/hex.ts';
import { principalFromBytes } from '../codec/principal.ts';
import type { InboundTransfers } from '../queries/inbound-transfers.ts';
import { Page } from './page.ts';
import { renderTransaction } from './transaction.ts';

export const InboundTransfer = Type.Object(
  {
    sender: Type.String(),
    amount: Type.String(),
    memo: Type.String({ description: 'Hex; of a bulk payment the serialized value that the contract printed.' }),
    block_height: Type.Integer(),
    tx_id: Type.String(),
    transfer_type: Type.Union([
      Type.Literal('stx-transfer'),
      Type.Literal('stx-transfer-memo'),
      Type.Literal('bulk-send'),
    ]),
    tx_index: Type.Integer(),
  },
  { title: 'InboundTransfer' },
);
export type InboundTransfer = Static<typeof InboundTransfer>;
export const InboundTransferPage = Page(InboundTransfer, 'InboundTransferPage');

/** STX that came in, as the API shows it. */
export function renderInboundTransfer(row: InboundTransfers['rows'][number]): InboundTransfer {
  const place = { block_height: row.height, tx_id: toHex(row.tx_id), tx_index: row.tx_index };
  if (row.transaction) {
    const transaction = renderTransaction(row.transaction);
    if (transaction.tx_type !== 'token_transfer') throw new Error(`${place.tx_id} is no transfer`);
    const { amount, memo } = transaction.token_transfer;
    return { sender: transaction.sender_address, amount, memo, ...place, transfer_type: 'stx-transfer' };
  }
  return {
    sender: row.sender ? principalFromBytes(row.sender) : '',
    amount: row.amount,
    memo: toHex(row.memo),
    ...place,
    transfer_type: row.bulk ? 'bulk-send' : 'stx-transfer-memo',
  };
}
