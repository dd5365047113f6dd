import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { decodeTransaction } from '@cairn-stacks/codec/transaction/transaction';
import { type Static, Type } from 'typebox';
import {
  BlockPosition,
  renderBlockPosition,
  renderTransactionPosition,
  TransactionPosition,
} from '../events/event-position-schema.ts';
import type { EventPositionRow } from '../events/positions-queries.ts';
import { FilteredCursorList } from '../pages/cursor-list-schema.ts';
import { Memo, renderMemo } from '../transactions/transaction-summary-schema.ts';
import type { StxTransferRow, TransferRow } from './transfers-queries.ts';

export const principalOrNull = Type.Union([Type.String(), Type.Null()], {
  description: 'The sender is null for a mint, the recipient for a burn.',
});
const sides = {
  sender: principalOrNull,
  recipient: principalOrNull,
  amount: Type.String({ description: 'Amount in the smallest unit: micro-STX for STX.' }),
};
const place = { transaction: TransactionPosition, block: BlockPosition };

const StxTransfer = Type.Object({ ...sides, memo: Memo, ...place }, { title: 'PrincipalStxTransfer' });
export const StxTransferList = FilteredCursorList(StxTransfer, 'PrincipalStxTransferList');
const FtTransfer = Type.Object({ ...sides, ...place }, { title: 'PrincipalFtTransfer' });
export const FtTransferList = FilteredCursorList(FtTransfer, 'PrincipalFtTransferList');

export const nameOrNull = (name: Buffer | null) => (name === null ? null : principalFromBytes(name));

const renderSides = ({ sender, recipient, amount }: TransferRow) => ({
  sender: nameOrNull(sender),
  recipient: nameOrNull(recipient),
  amount,
});

const renderPlace = (row: EventPositionRow) => ({
  transaction: renderTransactionPosition(row),
  block: renderBlockPosition(row),
});

export const renderStxTransfer = (row: EventPositionRow & StxTransferRow): Static<typeof StxTransfer> => ({
  ...renderSides(row),
  memo: renderMemo(memoOf(row)),
  ...renderPlace(row),
});

export const renderFtTransfer = (row: EventPositionRow & TransferRow): Static<typeof FtTransfer> => ({
  ...renderSides(row),
  ...renderPlace(row),
});

const none = new Uint8Array(0);

/** What the bulk contract printed behind a payment counts before the memo of the event; a native transfer has its own. */
function memoOf({ memo, native, printed }: StxTransferRow): Uint8Array {
  if (native !== null) {
    // Operations of the burn chain have no bytes of their own.
    if (native.length <= 1) return memo;
    const { payload } = decodeTransaction(native);
    return payload.type === 'token_transfer' ? payload.memo : memo;
  }
  if (printed === null) return memo;
  const value = decodeClarity(printed);
  return value.type === 'buffer' ? value.bytes : none;
}
