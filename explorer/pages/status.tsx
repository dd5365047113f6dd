import { useApi } from '../api/loaded.ts';
import type { Audit, IngestStatus, NodePoolStatus } from '../api/schema.ts';
import { Facts } from '../components/facts.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Empty, Notice } from '../components/message.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { type Column, RowTable } from '../components/row-table.tsx';
import { Section } from '../components/section.tsx';
import { DatabaseView } from '../components/status/database.tsx';
import { IngestRate, Reorgs } from '../components/status/ingest-activity.tsx';
import { PublishersView } from '../components/status/publishers.tsx';
import { RequestLimitsView } from '../components/status/request-limits.tsx';
import { WebhooksView } from '../components/status/webhooks.tsx';
import { BlockLink, BurnBlockLink } from '../components/values/links.tsx';
import { Time } from '../components/values/time.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { counted, formatCount } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { chainRevision, historyRevision } from '../live/feed.ts';

export function Page() {
  const server = useApi('/extended', {}, chainRevision);
  const ingest = useApi('/extended/v1/status/ingest', {}, chainRevision);
  const activity = useApi('/extended/v1/status/activity', {}, historyRevision);
  const database = useApi('/extended/v1/status/database', {}, historyRevision);
  const limits = useApi('/extended/v1/status/limits', {}, historyRevision);
  const nodes = useApi('/extended/v1/status/nodes', {}, chainRevision);
  const webhooks = useApi('/extended/v1/status/webhooks', {}, chainRevision);
  const feeds = useApi('/extended/v1/status/feeds', {}, chainRevision);
  const audit = useApi('/extended/v1/status/audit', {}, chainRevision);
  return (
    <>
      <PageTitle title="Status of this server" />
      <div class="columns two">
        <Section title="Server">
          <LoadedView of={server}>
            {({ server_version, status, chain_tip }) => (
              <Facts
                of={[
                  ['Version', server_version],
                  ['State', status],
                  chain_tip && ['Tip', <BlockLink key="tip" height={chain_tip.block_height} />],
                  chain_tip && ['Bitcoin block', <BurnBlockLink key="burn" height={chain_tip.burn_block_height} />],
                ]}
              />
            )}
          </LoadedView>
        </Section>
        <Section title="From the node into the tables">
          <LoadedView of={ingest}>{data => <Ingest of={data} />}</LoadedView>
        </Section>
      </div>
      <div class="columns two">
        <Section title="How fast events arrive">
          <LoadedView of={activity}>{data => <IngestRate of={data} />}</LoadedView>
        </Section>
        <Section title="Forks">
          <LoadedView of={activity}>{data => <Reorgs of={data} />}</LoadedView>
        </Section>
      </div>
      <Section title="Nodes">
        <LoadedView of={nodes} missing={<Empty>No node is configured.</Empty>}>
          {data => <Nodes of={data} />}
        </LoadedView>
      </Section>
      <Section title="Database">
        <LoadedView of={database}>{data => <DatabaseView of={data} />}</LoadedView>
      </Section>
      <Section title="Webhooks">
        <LoadedView of={webhooks}>{data => <WebhooksView of={data} />}</LoadedView>
      </Section>
      <Section title="Streams of a broker">
        <LoadedView of={feeds}>{data => <PublishersView of={data} />}</LoadedView>
      </Section>
      <div class="columns two">
        <Section title="Audit of the books">
          <LoadedView of={audit} missing={<Empty>Nothing has been audited yet.</Empty>}>
            {data => <AuditView of={data} />}
          </LoadedView>
        </Section>
        <Section title="Limits of requests">
          <LoadedView of={limits}>{data => <RequestLimitsView of={data} />}</LoadedView>
        </Section>
      </div>
    </>
  );
}

function Ingest({ of }: { of: IngestStatus }) {
  const waiting = of.logged - of.folded;
  return (
    <>
      {of.halted_at !== null && (
        <Notice kind="bad">
          Ingest has halted at event {of.halted_at}: <Untrusted text={of.halt_reason ?? ''} />
        </Notice>
      )}
      {of.incomplete.blocks > 0 && (
        <Notice kind="warn">{counted(of.incomplete.blocks, 'block')} could not be read completely.</Notice>
      )}
      <Facts
        of={[
          ['Behind by', of.lag_seconds < 1 ? 'less than a second' : formatDuration(of.lag_seconds)],
          ['Events received', formatCount(of.logged)],
          ['Events waiting', formatCount(waiting)],
          of.last_received !== null && [
            'Last event',
            <Time key="last" seconds={Date.parse(of.last_received) / 1000} />,
          ],
          ['Blocks waiting for their parent', formatCount(of.parked)],
          ['Events that cannot be used', formatCount(of.quarantined)],
        ]}
      />
    </>
  );
}

const nodeColumns: readonly Column<NodePoolStatus['nodes'][number]>[] = [
  { title: 'Node', cell: node => <Untrusted text={node.name} /> },
  {
    title: 'State',
    cell: node => (
      <>
        {node.state}
        {node.reason !== null && (
          <span class="soft">
            {' '}
            <Untrusted text={node.reason} />
          </span>
        )}
      </>
    ),
  },
  { title: 'Height', number: true, cell: node => (node.height === null ? '–' : formatCount(node.height)) },
  { title: 'Latency', number: true, cell: node => `${Math.round(node.latency_ms)} ms` },
  { title: 'Ejected', number: true, cell: node => counted(node.ejections, 'time') },
  {
    title: 'Checked',
    cell: node => (node.checked_at === null ? 'never' : <Time seconds={Date.parse(node.checked_at) / 1000} />),
  },
];

function Nodes({ of }: { of: NodePoolStatus }) {
  if (of.nodes.length === 0) return <Empty>No node is configured.</Empty>;
  return <RowTable of={of.nodes} caption="Nodes behind this server" columns={nodeColumns} keyOf={node => node.name} />;
}

function AuditView({ of }: { of: Audit }) {
  return (
    <>
      <Facts
        of={[
          ['Checked up to', <BlockLink key="checked" height={of.checked_height} />],
          ['Checked', <Time key="when" seconds={Date.parse(of.checked_at) / 1000} />],
          ['Faults', of.faults === 0 ? 'none' : formatCount(of.faults)],
          ['Findings with a known reason', formatCount(of.explained)],
        ]}
      />
      <ul class="events">
        {of.findings.map(({ check, subject, message, reason }) => (
          <li key={check + subject}>
            <b>{check}</b> <Untrusted text={subject} />: <Untrusted text={message} />
            {reason !== null && <span class="soft"> ({reason})</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
