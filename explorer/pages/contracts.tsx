import type { SmartContractTransaction, Transaction } from '../api/schema.ts';
import { MoreList, nextByOffset } from '../components/more-list.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { type Column, RowTable } from '../components/row-table.tsx';
import { Section } from '../components/section.tsx';
import { StatusBadge } from '../components/values/badge.tsx';
import { BlockLink } from '../components/values/links.tsx';
import { Principal } from '../components/values/principal.tsx';
import { Time } from '../components/values/time.tsx';
import { chainRevision } from '../live/feed.ts';

const columns: readonly Column<SmartContractTransaction>[] = [
  {
    title: 'Contract',
    cell: tx => (
      <span class="stack">
        <Principal of={tx.smart_contract.contract_id} />
        {tx.tx_status !== 'success' && <StatusBadge status={tx.tx_status} />}
      </span>
    ),
  },
  { title: 'Block', number: true, minor: true, cell: tx => <BlockLink height={tx.block_height} /> },
  { title: 'Deployed', number: true, side: true, cell: tx => <Time seconds={tx.block_time} /> },
];

const isDeployment = (tx: Transaction): tx is SmartContractTransaction => tx.tx_type === 'smart_contract';

export function Page() {
  return (
    <>
      <PageTitle title="Contracts" />
      <p class="lead">
        Programs that were put on the chain, newest first. Each page shows the source and what it offers.
      </p>
      <MoreList
        path="/extended/v1/tx/"
        parameters={{ limit: 30, type: 'smart_contract' }}
        revision={chainRevision}
        next={nextByOffset}
        empty="No contract was deployed yet."
      >
        {transactions => (
          <Section title="Deployed contracts" aside={<a href="/tokens">Tokens</a>}>
            <RowTable
              of={transactions.filter(isDeployment)}
              caption="Deployed contracts, newest first"
              columns={columns}
              keyOf={tx => tx.tx_id}
            />
          </Section>
        )}
      </MoreList>
    </>
  );
}
