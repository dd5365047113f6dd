import { MoreList, nextByCursor } from '../components/more-list.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { TxTable } from '../components/transactions/tx-table.tsx';
import { counted } from '../format/number.ts';
import { chainRevision } from '../live/feed.ts';

export function Page() {
  return (
    <>
      <PageTitle title="Transactions" />
      <MoreList
        path="/extended/v3/transactions"
        parameters={{ limit: 40 }}
        revision={chainRevision}
        empty="No transactions yet."
        next={nextByCursor}
      >
        {(transactions, first) => (
          <Section
            title={first.total === null ? 'Confirmed transactions' : counted(first.total, 'confirmed transaction')}
            aside={<a href="/mempool">Pending ones</a>}
          >
            <TxTable of={transactions} caption="Confirmed transactions, newest first" />
          </Section>
        )}
      </MoreList>
    </>
  );
}
