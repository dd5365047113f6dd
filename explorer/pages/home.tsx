import { useApi } from '../api/loaded.ts';
import type { MempoolSummary } from '../api/schema.ts';
import { spanOf } from '../charts/spans.ts';
import { FeeChart } from '../components/activity/fee-chart.tsx';
import { MempoolChart } from '../components/activity/mempool-chart.tsx';
import { RateChart } from '../components/activity/rate-chart.tsx';
import { SpanChoice } from '../components/activity/span-choice.tsx';
import { Bar } from '../components/bar.tsx';
import { BlockStrip } from '../components/blocks/block-strip.tsx';
import { Facts } from '../components/facts.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Empty } from '../components/message.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { TxTable } from '../components/transactions/tx-table.tsx';
import { Stx } from '../components/values/amount.tsx';
import { BlockLink, BurnBlockLink } from '../components/values/links.tsx';
import { WhenNear } from '../components/when-near.tsx';
import { formatCount } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { chainRevision, mempoolRevision, seenBlocks } from '../live/feed.ts';
import { currentUrl } from '../router.ts';
import { typeWords } from '../words/transaction.ts';

export function Page() {
  const transactions = useApi('/extended/v3/transactions', { limit: 12 }, chainRevision);
  const mempool = useApi('/extended/v3/mempool', {}, mempoolRevision);
  const fees = useApi('/extended/v2/mempool/fees', {}, mempoolRevision);
  return (
    <>
      <PageTitle title="The chain now" />
      <Introduction />
      <Section title="Blocks as they arrive" aside={<a href="/blocks">All blocks</a>}>
        <BlockStrip />
        <p class="soft caption">
          Each box is a block, the newest first; its bar shows how many transactions it has. A line on top joins the
          blocks of one Bitcoin block.
        </p>
      </Section>
      <div class="columns">
        <Tip />
        <Section title="Waiting transactions" aside={<a href="/mempool">Mempool</a>}>
          <LoadedView of={mempool}>{summary => <MempoolNow summary={summary} />}</LoadedView>
          {fees.state === 'ready' && <RecommendedFee of={fees.data.all.medium_priority} />}
        </Section>
      </div>
      <Activity />
      <Section title="Newest transactions" aside={<a href="/transactions">All transactions</a>}>
        <LoadedView of={transactions}>
          {({ results }) =>
            results.length === 0 ? (
              <Empty>No transactions yet.</Empty>
            ) : (
              <TxTable of={results} caption="Newest transactions" />
            )
          }
        </LoadedView>
      </Section>
    </>
  );
}

/** What one looks at, for those who see it for the first time. */
function Introduction() {
  const node = useApi('/v2/info');
  const simulated = node.state === 'ready' && node.data.server_version?.startsWith('cairn-devnet');
  return (
    <p class="lead">
      Stacks is a blockchain that is anchored to Bitcoin; its coin is STX.{' '}
      {simulated && 'This one is simulated on the computer of this server: its coins have no value.'}
    </p>
  );
}

/** How busy the chain is, as charts. */
function Activity() {
  const span = spanOf(currentUrl.value.query.get('span'));
  return (
    <>
      <Section title="Transactions a minute" aside={<SpanChoice span={span} />}>
        <WhenNear>{() => <RateChart span={span} />}</WhenNear>
      </Section>
      <div class="columns two">
        <Section title="Waiting transactions over time">
          <WhenNear>{() => <MempoolChart span={span} />}</WhenNear>
        </Section>
        <Section title="Fees that were paid, in STX">
          <WhenNear>{() => <FeeChart span={span} />}</WhenNear>
        </Section>
      </div>
    </>
  );
}

function Tip() {
  const times = useApi('/extended/v2/blocks/average-times', {}, chainRevision);
  const supply = useApi('/extended/v3/tokens/stx/supply', {}, chainRevision);
  const tip = seenBlocks.value.find(block => block.canonical);
  return (
    <Section title="Tip of the chain">
      <Facts
        of={[
          ['Block', tip ? <BlockLink height={tip.height} /> : '–'],
          ['Bitcoin block', tip ? <BurnBlockLink height={tip.burnHeight} /> : '–'],
          times.state === 'ready' &&
            times.data.last_1h > 0 && ['Time between blocks', formatDuration(times.data.last_1h)],
          supply.state === 'ready' && ['Supply', <Stx key="supply" micro={supply.data.total} />],
        ]}
      />
    </Section>
  );
}

function MempoolNow({ summary }: { summary: MempoolSummary }) {
  const types = Object.entries(summary.by_type);
  return (
    <>
      <p class="figure">
        <b>{formatCount(summary.count)}</b> pending
      </p>
      {types.map(([type, { count }]) => (
        <Bar key={type} label={typeWords(type)} part={count} whole={summary.count} text={formatCount(count)} />
      ))}
      {summary.fee_rate.p50 !== null && (
        <Facts
          of={[
            ['Half of them offer over', <Stx key="p50" micro={summary.fee_rate.p50} />],
            summary.fee_rate.p95 !== null && ['Highest 5 % offer over', <Stx key="p95" micro={summary.fee_rate.p95} />],
          ]}
        />
      )}
    </>
  );
}

/** What to offer to be mined soon: more than three quarters of those that wait. */
const RecommendedFee = ({ of }: { of: number }) => (
  <Facts of={[['Recommended fee', <Stx key="fee" micro={Math.round(of)} />]]} />
);
