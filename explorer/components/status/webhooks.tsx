import type { WebhookStatus, WebhooksStatus } from '../../api/schema.ts';
import { formatCount } from '../../format/number.ts';
import { Empty } from '../message.tsx';
import { type Column, RowTable } from '../row-table.tsx';
import { BlockLink } from '../values/links.tsx';
import { Time } from '../values/time.tsx';
import { Untrusted } from '../values/untrusted.tsx';

const states: Record<WebhookStatus['state'], string> = {
  active: 'requests arrive',
  failing: 'the last request did not arrive; it is sent again',
  paused: 'stopped by the operator, or after a day of failures',
  disabled: 'its receiver does not want it any more',
  expired: 'it has sent what it was to send',
};

const columns: readonly Column<WebhookStatus>[] = [
  { title: 'Name', cell: hook => <Untrusted text={hook.name} /> },
  { title: 'State', cell: hook => states[hook.state] },
  {
    title: 'Block',
    number: true,
    cell: ({ block_height: height }) => (height < 1 ? '–' : <BlockLink height={height} />),
  },
  { title: 'Blocks to go', number: true, cell: hook => formatCount(hook.backlog_blocks) },
  {
    title: 'Last request that arrived',
    cell: ({ delivered_at: at }) => (at === null ? 'none yet' : <Time seconds={Date.parse(at) / 1000} />),
  },
];

/** How far the webhooks of this service are. */
export function WebhooksView({ of: { webhooks } }: { of: WebhooksStatus }) {
  if (webhooks.length === 0) return <Empty>This server calls nobody.</Empty>;
  return <RowTable of={webhooks} caption="Webhooks of this server" columns={columns} keyOf={hook => hook.name} />;
}
