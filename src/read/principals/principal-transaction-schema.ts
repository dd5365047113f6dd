import { type Static, Type } from 'typebox';
import { role } from '../../chain/role.ts';
import { FilteredCursorList } from '../pages/cursor-list-schema.ts';
import { TransactionSummary } from '../transactions/transaction-summary-schema.ts';
import type { PrincipalSummary } from './summaries-queries.ts';

/** What left an account, what came to it, and the difference. */
export const BalanceChangeAmounts = Type.Object(
  {
    sent: Type.String({
      description:
        'Total sent, including the fee if the principal paid it. In the smallest unit (micro-STX for STX), or the number of NFTs.',
    }),
    received: Type.String({ description: 'Total received, in the same unit.' }),
    net: Type.String({ description: '`received` minus `sent`; may be negative.' }),
  },
  { title: 'BalanceChangeAmounts' },
);

export const renderAmounts = (sent: bigint, received: bigint) => ({
  sent: String(sent),
  received: String(received),
  net: String(received - sent),
});

const PrincipalTransaction = Type.Object(
  {
    transaction: TransactionSummary,
    involvement: Type.Union([Type.Literal('sender'), Type.Literal('sponsor'), Type.Literal('affected')], {
      description: 'Role of the principal: it signed, sponsored, or was only affected.',
    }),
    balance_changes: Type.Object({ stx: BalanceChangeAmounts }),
    affected_balances: Type.Object(
      { stx: Type.Boolean(), ft: Type.Boolean(), nft: Type.Boolean() },
      {
        description:
          'Which kinds of assets the transaction moved for the principal. A fee counts as STX, even if it is zero.',
      },
    ),
  },
  { title: 'PrincipalTransaction' },
);
type PrincipalTransaction = Static<typeof PrincipalTransaction>;
export const PrincipalTransactionList = FilteredCursorList(PrincipalTransaction, 'PrincipalTransactionList');

/** A transaction as it touched an account. */
export function renderPrincipalTransaction(
  row: PrincipalSummary,
  transaction: TransactionSummary,
): PrincipalTransaction {
  const has = (bits: number) => (row.role & bits) !== 0;
  const fee = has(role.payer) ? row.fee : 0n;
  return {
    transaction,
    involvement: has(role.sender) ? 'sender' : has(role.sponsor) ? 'sponsor' : 'affected',
    balance_changes: { stx: renderAmounts(BigInt(row.sent) + fee, BigInt(row.received)) },
    affected_balances: { stx: row.stx, ft: has(role.ft), nft: has(role.nft) },
  };
}
