import type { MempoolTransactionSummary, TransactionSummary } from '../../api/schema.ts';
import { typeWords } from '../../words/transaction.ts';
import { type Column, RowTable } from '../row-table.tsx';
import { Stx } from '../values/amount.tsx';
import { StatusBadge } from '../values/badge.tsx';
import { BlockLink, TxLink } from '../values/links.tsx';
import { Principal } from '../values/principal.tsx';
import { Time } from '../values/time.tsx';
import { TxSummary } from './tx-summary.tsx';

export type AnySummary = TransactionSummary | MempoolTransactionSummary;

/** A list says itself that its transactions are confirmed, or pending; the others have a mark. */
const isTold = ({ status }: AnySummary) => status !== 'success' && status !== 'pending';

const transaction: Column<AnySummary> = {
  title: 'Transaction',
  cell: tx => (
    <span class="stack">
      <TxLink id={tx.tx_id} />
      <span class="soft">
        {typeWords(tx.type)} {isTold(tx) && <StatusBadge status={tx.status} />}
      </span>
    </span>
  ),
};
const what: Column<AnySummary> = { title: 'What', cell: tx => <TxSummary tx={tx} /> };
const from: Column<AnySummary> = { title: 'From', minor: true, cell: tx => <Principal of={tx.sender.address} /> };
const fee: Column<AnySummary> = { title: 'Fee', number: true, minor: true, cell: tx => <Stx micro={tx.fee_rate} /> };
const when: Column<AnySummary> = {
  title: 'When',
  side: true,
  number: true,
  cell: tx => (
    <span class="stack">
      <Time seconds={'block' in tx ? tx.block.time : tx.receipt_time} />
      {'block' in tx && (
        <span class="soft">
          block <BlockLink height={tx.block.height} />
        </span>
      )}
    </span>
  ),
};

type TxTableProps = { of: readonly AnySummary[]; caption: string; extra?: Column<AnySummary> };

/** Transactions as a table. */
export function TxTable({ of, caption, extra }: TxTableProps) {
  const columns = [transaction, what, from, ...(extra ? [extra] : []), fee, when];
  return <RowTable of={of} caption={caption} columns={columns} keyOf={tx => tx.tx_id} />;
}
