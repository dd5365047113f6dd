import { useApi } from '../api/loaded.ts';
import type { SbtcDeposit, SbtcSum, SbtcSummary, SbtcWithdrawal } from '../api/schema.ts';
import { Facts } from '../components/facts.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { MoreList, nextByCursor } from '../components/more-list.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { type Column, RowTable } from '../components/row-table.tsx';
import { Section } from '../components/section.tsx';
import { Hash } from '../components/values/hash.tsx';
import { BlockLink, TxLink } from '../components/values/links.tsx';
import { Principal } from '../components/values/principal.tsx';
import { formatUnits } from '../format/amount.ts';
import { formatCount } from '../format/number.ts';
import { chainRevision } from '../live/feed.ts';
import { sweepText } from '../words/sweep.ts';

const Sats = ({ of }: { of: string }) => (
  <data class="amount" value={of} title={`${formatCount(BigInt(of))} satoshis`}>
    {formatUnits(BigInt(of), 8)} BTC
  </data>
);

const depositColumns: readonly Column<SbtcDeposit>[] = [
  { title: 'Transaction', cell: row => <TxLink id={row.tx_id} /> },
  { title: 'Amount', number: true, side: true, cell: row => <Sats of={row.amount} /> },
  { title: 'To', cell: row => (row.recipient === null ? 'nobody' : <Principal of={row.recipient} />) },
  { title: 'Bitcoin transaction', minor: true, cell: row => <Hash value={row.bitcoin_tx_id} /> },
  { title: 'Sweep', minor: true, cell: row => sweepText(row.sweep) },
  { title: 'Block', minor: true, number: true, cell: ({ block }) => <BlockLink height={block.height} /> },
];

const withdrawalColumns: readonly Column<SbtcWithdrawal>[] = [
  { title: 'Request', cell: row => <TxLink id={row.requested.tx_id} /> },
  { title: 'Amount', number: true, side: true, cell: row => <Sats of={row.amount} /> },
  { title: 'State', cell: row => row.status },
  { title: 'From', cell: row => <Principal of={row.sender} /> },
  { title: 'To', minor: true, cell: ({ recipient }) => recipient.address ?? 'no known address' },
  { title: 'Sweep', minor: true, cell: row => (row.sweep === null ? '–' : sweepText(row.sweep)) },
  { title: 'Block', minor: true, number: true, cell: row => <BlockLink height={row.requested.block.height} /> },
];

export function Page() {
  const summary = useApi('/extended/v1/sbtc/summary', {}, chainRevision);
  return (
    <>
      <PageTitle title="sBTC" />
      <p class="lead">
        Whoever deposits bitcoin with the signers gets the same amount as sBTC on Stacks. A withdrawal locks sBTC until
        the signers have paid the bitcoin, or have refused.
      </p>
      <LoadedView of={summary}>{data => <Summary of={data} />}</LoadedView>
      <Section title="Withdrawals">
        <MoreList
          path="/extended/v1/sbtc/withdrawals"
          parameters={{ limit: 20 }}
          revision={chainRevision}
          next={nextByCursor}
          empty="Nobody has requested a withdrawal yet."
        >
          {rows => (
            <RowTable
              of={rows}
              caption="Withdrawals, newest request first"
              columns={withdrawalColumns}
              keyOf={row => row.request_id}
            />
          )}
        </MoreList>
      </Section>
      <Section title="Deposits">
        <MoreList
          path="/extended/v1/sbtc/deposits"
          parameters={{ limit: 20 }}
          revision={chainRevision}
          next={nextByCursor}
          empty="Nothing has been deposited yet."
        >
          {rows => (
            <RowTable
              of={rows}
              caption="Completed deposits, newest first"
              columns={depositColumns}
              keyOf={row => `${row.bitcoin_tx_id}:${row.vout}`}
            />
          )}
        </MoreList>
      </Section>
    </>
  );
}

const Sum = ({ of: { count, total } }: { of: SbtcSum }) => (
  <>
    {formatCount(count)}, <Sats of={total} />
  </>
);

function Summary({ of: { deposits, withdrawals, supply, signers } }: { of: SbtcSummary }) {
  return (
    <Facts
      of={[
        ['sBTC in existence', <Sats key="total" of={supply.total} />],
        supply.locked !== '0' && ['Of these locked for withdrawals', <Sats key="locked" of={supply.locked} />],
        ['Deposits', <Sum key="deposits" of={deposits} />],
        ['Pending withdrawals', <Sum key="pending" of={withdrawals.pending} />],
        ['Accepted withdrawals', <Sum key="accepted" of={withdrawals.accepted} />],
        ['Rejected withdrawals', <Sum key="rejected" of={withdrawals.rejected} />],
        signers && ['Signers', `${signers.threshold} of ${signers.keys.length} must sign`],
        typeof signers?.wallet_address === 'string' && ['They keep the bitcoin at', signers.wallet_address],
      ]}
    />
  );
}
