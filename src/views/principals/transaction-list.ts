import type { Pieces } from '../../cache/rendered-items.ts';
import { bareHex } from '../../codec/hex.ts';
import type { Sql } from '../../db/client.ts';
import { listMoveKinds, listMoves } from '../../queries/principals/asset-moves.ts';
import type { PrincipalTransaction } from '../../queries/principals/transactions.ts';
import { renderWithCounts, renderWithTransfers } from '../../schemas/principals/address-transaction.ts';
import {
  gatherTransactions,
  type ListedTransactionOptions,
  placeKey,
  transactionForm,
} from '../transactions/transaction-list.ts';

/** The transactions of an account, each with everything it moved for the account. */
export const gatherWithTransfers = (
  pieces: Pieces,
  sql: Sql,
  principal: Uint8Array,
  listed: readonly PrincipalTransaction[],
) =>
  pieces.gather(listed, {
    form: `transfers ${bareHex(principal)}`,
    keyOf: entry => placeKey(entry),
    read: async missing => {
      const moved = await listMoves(sql, principal, missing);
      const txs = await gatherTransactions(pieces, sql, missing);
      return moved.map((row, i) => ({ ...row, tx: txs[i]! }));
    },
    render: ({ tx, moves, fee }, row) => renderWithTransfers({ ...row, fee }, tx, moves),
  });

/** The same with the number of moves of each kind. */
export const gatherWithCounts = (
  pieces: Pieces,
  sql: Sql,
  principal: Uint8Array,
  listed: readonly PrincipalTransaction[],
  options: ListedTransactionOptions,
) =>
  pieces.gather(listed, {
    form: `counts ${transactionForm(options)} ${bareHex(principal)}`,
    keyOf: entry => placeKey(entry),
    read: async missing => {
      const moved = await listMoveKinds(sql, principal, missing);
      const txs = await gatherTransactions(pieces, sql, missing, options);
      return moved.map((row, i) => ({ ...row, tx: txs[i]! }));
    },
    render: ({ tx, kinds, fee }, row) => renderWithCounts({ ...row, fee }, tx, kinds),
  });
