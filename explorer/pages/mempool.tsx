import { useApi } from '../api/loaded.ts';
import type { MempoolFeePriorities } from '../api/schema.ts';
import { LoadedView } from '../components/loaded-view.tsx';
import { Empty } from '../components/message.tsx';
import { MoreList, nextByCursor } from '../components/more-list.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { type Column, RowTable } from '../components/row-table.tsx';
import { Section } from '../components/section.tsx';
import { MempoolMap } from '../components/transactions/mempool-map.tsx';
import { TxTable } from '../components/transactions/tx-table.tsx';
import { Stx } from '../components/values/amount.tsx';
import { counted } from '../format/number.ts';
import { mempoolRevision } from '../live/feed.ts';
import { address, setQuery } from '../router.ts';
import { typeWords } from '../words/transaction.ts';

const types = ['token_transfer', 'contract_call', 'smart_contract'];

export function Page() {
  const fees = useApi('/extended/v2/mempool/fees', {}, mempoolRevision);
  const { query } = address.value;
  const type = query.get('type') ?? '';
  const oldest = query.get('order') === 'oldest';
  return (
    <>
      <PageTitle title="Mempool" />
      <p class="lead">Transactions that were sent and wait for a block.</p>
      <Section title="Fees that are paid now">
        <LoadedView of={fees}>{data => <Fees of={data} />}</LoadedView>
      </Section>
      <MoreList
        path="/extended/v3/mempool/transactions"
        parameters={{ limit: 50 }}
        revision={mempoolRevision}
        next={nextByCursor}
        empty="Nothing is waiting. New transactions appear here as they arrive."
      >
        {(transactions, first) => {
          const chosen = transactions.filter(tx => type === '' || tx.type === type);
          const shown = oldest ? [...chosen].sort((a, b) => a.receipt_time - b.receipt_time) : chosen;
          return (
            <Section
              title={counted(first.total, 'pending transaction')}
              aside={<Filters type={type} oldest={oldest} />}
            >
              {shown.length === 0 ? (
                <Empty>None of the loaded transactions match.</Empty>
              ) : (
                <>
                  <MempoolMap of={shown} />
                  <TxTable of={shown} caption="Pending transactions" />
                </>
              )}
            </Section>
          );
        }}
      </MoreList>
    </>
  );
}

function Filters({ type, oldest }: { type: string; oldest: boolean }) {
  return (
    <form class="filters" onSubmit={event => event.preventDefault()}>
      <label>
        Type{' '}
        <select value={type} onChange={event => setQuery({ type: event.currentTarget.value })}>
          <option value="">all</option>
          {types.map(each => (
            <option key={each} value={each}>
              {typeWords(each)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Order{' '}
        <select value={oldest ? 'oldest' : ''} onChange={event => setQuery({ order: event.currentTarget.value })}>
          <option value="">newest first</option>
          <option value="oldest">oldest first</option>
        </select>
      </label>
    </form>
  );
}

type FeesOfType = [type: string, fees: MempoolFeePriorities['all']];

const feeColumns: readonly Column<FeesOfType>[] = [
  { title: 'Type', cell: ([type]) => (type === 'all' ? 'All' : typeWords(type)) },
  { title: 'Low', number: true, cell: ([, fees]) => <Stx micro={Math.round(fees.low_priority)} /> },
  { title: 'Medium', number: true, cell: ([, fees]) => <Stx micro={Math.round(fees.medium_priority)} /> },
  { title: 'High', number: true, cell: ([, fees]) => <Stx micro={Math.round(fees.high_priority)} /> },
];

function Fees({ of }: { of: MempoolFeePriorities }) {
  const rows = Object.entries(of) as FeesOfType[];
  return <RowTable of={rows} caption="Fees by type and priority" columns={feeColumns} keyOf={([type]) => type} />;
}
