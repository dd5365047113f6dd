import { useApi } from '../api/loaded.ts';
import type { MempoolFeePriorities } from '../api/schema.ts';
import { spanOf } from '../charts/spans.ts';
import { MempoolChart } from '../components/activity/mempool-chart.tsx';
import { SpanChoice } from '../components/activity/span-choice.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Empty } from '../components/message.tsx';
import { MoreList, nextByOffset } from '../components/more-list.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { type Column, RowTable } from '../components/row-table.tsx';
import { Section } from '../components/section.tsx';
import { LongestWaiting } from '../components/transactions/longest-waiting.tsx';
import { MempoolFilters } from '../components/transactions/mempool-filters.tsx';
import { MempoolMap } from '../components/transactions/mempool-map.tsx';
import { ProjectedBlocks } from '../components/transactions/projected-blocks.tsx';
import { TxTable } from '../components/transactions/tx-table.tsx';
import { Stx } from '../components/values/amount.tsx';
import { counted } from '../format/number.ts';
import { mempoolRevision } from '../live/feed.ts';
import { readFilter } from '../mempool/filter.ts';
import { summaryOf } from '../mempool/summary.ts';
import { currentUrl } from '../router.ts';
import { typeWords } from '../words/transaction.ts';

export function Page() {
  const fees = useApi('/extended/v2/mempool/fees', {}, mempoolRevision);
  const { query } = currentUrl.value;
  const span = spanOf(query.get('span'));
  const filter = readFilter(query);
  return (
    <>
      <PageTitle title="Mempool" />
      <p class="lead">Transactions that were sent and wait for a block.</p>
      <div class="columns two">
        <Section title="Waiting transactions over time" aside={<SpanChoice span={span} />}>
          <MempoolChart span={span} />
        </Section>
        <Section title="Fees that are offered now">
          <LoadedView of={fees}>{data => <Fees of={data} />}</LoadedView>
          <p class="soft">
            Miners take higher fees first. Half of those that wait offer less than the low fee, 75 % less than the
            medium one, 95 % less than the high one.
          </p>
        </Section>
      </div>
      <Section title="Next blocks, projected by fee">
        <ProjectedBlocks />
      </Section>
      <Section title="Waiting the longest">
        <LongestWaiting />
      </Section>
      <Section title="All that wait" aside={<MempoolFilters filter={filter} />}>
        <MoreList
          path="/extended/v1/tx/mempool"
          parameters={{ limit: 50, include_size: true, ...filter.parameters }}
          revision={mempoolRevision}
          next={nextByOffset}
          empty={
            filter.address === ''
              ? 'Nothing is waiting. New transactions appear here as they arrive.'
              : 'Nothing of this address is waiting.'
          }
        >
          {(transactions, first) => {
            const shown = transactions.map(summaryOf).filter(tx => filter.type === '' || tx.type === filter.type);
            return (
              <>
                <p class="soft">{counted(first.total, 'pending transaction')}</p>
                {shown.length === 0 ? (
                  <Empty>None of the loaded transactions match.</Empty>
                ) : (
                  <>
                    <MempoolMap
                      of={shown}
                      sizes={new Map(transactions.map(tx => [tx.tx_id, tx.size ?? 0]))}
                      area={query.get('area') === 'size' ? 'size' : 'fee'}
                    />
                    <TxTable of={shown} caption="Pending transactions" />
                  </>
                )}
              </>
            );
          }}
        </MoreList>
      </Section>
    </>
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
