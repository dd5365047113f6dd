import { formatPrincipal, principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { decodeAccepted, senderPrincipal } from '@cairn-stacks/codec/transaction/transaction';
import { type Static, Type } from 'typebox';
import { FilteredPage } from '../pages/page-schema.ts';
import { readBurnOperation } from '../transactions/burn-operation-schema.ts';
import type { InboundTransferRow } from './inbound-transfers-queries.ts';

export const InboundTransfer = Type.Object(
  {
    sender: Type.String({ description: 'Principal that sent the STX.' }),
    amount: Type.String({ description: 'Amount in micro-STX.' }),
    memo: Type.String({
      description: 'The memo in hex. For a bulk payment it is the serialized Clarity value that the contract printed.',
    }),
    block_height: Type.Integer({ description: 'Height of the block.' }),
    tx_id: Type.String({ description: 'Id of the transaction.' }),
    transfer_type: Type.Union(
      [Type.Literal('stx-transfer'), Type.Literal('stx-transfer-memo'), Type.Literal('bulk-send')],
      {
        description:
          '`stx-transfer`: a token transfer. `stx-transfer-memo`: a transfer by a contract with a memo. `bulk-send`: a payment of the bulk-send contract.',
      },
    ),
    tx_index: Type.Integer({ description: 'Index of the transaction in the block.' }),
  },
  { title: 'InboundTransfer' },
);
export type InboundTransfer = Static<typeof InboundTransfer>;
export const InboundTransferPage = FilteredPage(InboundTransfer, 'InboundTransferPage');

/** STX that came in, as the API shows it. */
export function renderInboundTransfer(row: InboundTransferRow): InboundTransfer {
  const place = { block_height: row.height, tx_id: toHex(row.tx_id), tx_index: row.tx_index };
  if (row.raw.length > 0) return { ...renderTransfer(row), ...place, transfer_type: 'stx-transfer' };
  return {
    sender: row.sender ? principalFromBytes(row.sender) : '',
    amount: row.amount,
    memo: toHex(row.memo),
    ...place,
    transfer_type: row.bulk ? 'bulk-send' : 'stx-transfer-memo',
  };
}

function renderTransfer({ raw, burn_operation }: InboundTransferRow) {
  if (burn_operation !== null) {
    const operation = readBurnOperation(burn_operation);
    if (operation.kind !== 'transfer_stx') throw new Error(`a burn operation is no transfer: ${operation.kind}`);
    const { sender, amount, memo } = operation;
    return { sender, amount: amount.toString(), memo: toHex(memo) };
  }
  const transaction = decodeAccepted(raw);
  const { payload } = transaction;
  if (payload.type !== 'token_transfer') throw new Error(`a transaction is no transfer: ${payload.type}`);
  const sender = formatPrincipal(senderPrincipal(transaction));
  return { sender, amount: payload.amount.toString(), memo: toHex(payload.memo) };
}
