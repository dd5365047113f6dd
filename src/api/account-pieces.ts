import { bareHex } from '../codec/hex.ts';
import type { Sql } from '../db/client.ts';
import { listMoveKinds, listMoves } from '../queries/account-moves.ts';
import type { PrincipalTransaction } from '../queries/principal-transactions.ts';
import { renderWithCounts, renderWithTransfers } from '../schemas/address-transaction.ts';
import { assertUnmoved, type Pieces } from './pieces.ts';
import { gatherTransactions, type ListedTransactionOptions, transactionForm } from './transaction-pieces.ts';

/** The transactions of an account, each with everything it moved for the account. */
export const gatherWithTransfers = (
  pieces: Pieces,
  sql: Sql,
  principal: Uint8Array,
  listed: readonly PrincipalTransaction[],
) =>
  pieces.gather(listed, naming('transfers', principal), async missing => {
    const moved = await listMoves(sql, principal, missing);
    assertUnmoved(moved, missing);
    const txs = await gatherTransactions(pieces, sql, missing);
    return missing.map((row, i) => renderWithTransfers(row, txs[i]!, moved[i]!.moves));
  });

/** The same with the number of moves of each kind. */
export const gatherWithCounts = (
  pieces: Pieces,
  sql: Sql,
  principal: Uint8Array,
  listed: readonly PrincipalTransaction[],
  options: ListedTransactionOptions,
) =>
  pieces.gather(listed, naming(`counts ${transactionForm(options)}`, principal), async missing => {
    const moved = await listMoveKinds(sql, principal, missing);
    assertUnmoved(moved, missing);
    const txs = await gatherTransactions(pieces, sql, missing, options);
    return missing.map((row, i) => renderWithCounts(row, txs[i]!, moved[i]!.kinds));
  });

/** The same transaction is another entry in the list of another account. */
function naming(form: string, principal: Uint8Array) {
  const prefix = `${form} ${bareHex(principal)}`;
  return ({ height, place, version }: PrincipalTransaction) =>
    version === null ? undefined : `${prefix} ${height} ${place} ${version}`;
}
