import { useApi } from '../../api/loaded.ts';
import type { MempoolTransaction } from '../../api/schema.ts';
import { mempoolRevision } from '../../live/feed.ts';
import { typeWords } from '../../words/transaction.ts';
import { LoadedView } from '../loaded-view.tsx';
import { Empty } from '../message.tsx';
import { type Column, RowTable } from '../row-table.tsx';
import { TxLink } from '../values/links.tsx';
import { Principal } from '../values/principal.tsx';
import { Time } from '../values/time.tsx';
import { Untrusted } from '../values/untrusted.tsx';

const SHOWN = 5;

const columns: readonly Column<MempoolTransaction>[] = [
  {
    title: 'Transaction',
    cell: tx => (
      <span class="stack">
        <TxLink id={tx.tx_id} />
        <span class="soft">{typeWords(tx.tx_type)}</span>
      </span>
    ),
  },
  { title: 'From', cell: tx => <Principal of={tx.sender_address} /> },
  { title: 'Why it waits', cell: tx => <Reason id={tx.tx_id} /> },
  { title: 'Since', number: true, cell: tx => <Time seconds={tx.receipt_time} /> },
];

/** The oldest pending transactions, each with what keeps it waiting. */
export function LongestWaiting() {
  const oldest = useApi('/extended/v1/tx/mempool', { limit: SHOWN, order_by: 'age', order: 'asc' }, mempoolRevision);
  return (
    <LoadedView of={oldest}>
      {({ results }) =>
        results.length === 0 ? (
          <Empty>Nothing is waiting.</Empty>
        ) : (
          <RowTable of={results} caption="The oldest pending transactions" columns={columns} keyOf={tx => tx.tx_id} />
        )
      }
    </LoadedView>
  );
}

function Reason({ id }: { id: string }) {
  const diagnosis = useApi('/extended/v1/tx/{tx_id}/diagnosis', { tx_id: id }, mempoolRevision);
  if (diagnosis.state !== 'ready') return <span class="soft">…</span>;
  const { summary, reasons } = diagnosis.data;
  return (
    <span class={reasons.some(reason => reason.blocking) ? 'loss' : undefined}>
      <Untrusted text={summary} max={300} />
    </span>
  );
}
