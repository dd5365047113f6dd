import type { FeedsStatus, PublisherStatus } from '../../api/schema.ts';
import { formatCount } from '../../format/number.ts';
import { Empty } from '../message.tsx';
import { type Column, RowTable } from '../row-table.tsx';
import { BlockLink } from '../values/links.tsx';
import { Time } from '../values/time.tsx';
import { Untrusted } from '../values/untrusted.tsx';

const troubles: Record<NonNullable<PublisherStatus['trouble']>, string> = {
  unreachable: 'the broker does not respond',
  not_allowed: 'the broker does not let this server publish',
  full: 'the stream is full',
  too_large: 'a message is larger than the broker takes',
  other_writer: 'somebody else writes to the stream',
  other_chain: 'the stream is of another chain',
  behind: 'the stream is ahead of this server',
  refused: 'the broker refuses the messages',
  database: 'the database cannot be used',
};

const states: Record<PublisherStatus['state'], string> = {
  publishing: 'messages arrive',
  failing: 'no process publishes at the moment',
  stopped: 'stopped',
};

const columns: readonly Column<PublisherStatus>[] = [
  { title: 'Stream', cell: publisher => <Untrusted text={publisher.stream} /> },
  { title: 'State', cell: ({ state, trouble }) => (trouble === null ? states[state] : troubles[trouble]) },
  {
    title: 'Block',
    number: true,
    cell: ({ block_height: height }) => (height < 1 ? '–' : <BlockLink height={height} />),
  },
  { title: 'Blocks to go', number: true, cell: publisher => formatCount(publisher.backlog_blocks) },
  { title: 'Messages', number: true, cell: publisher => formatCount(publisher.messages) },
  {
    title: 'Last message',
    cell: ({ published_at: at }) => (at === null ? 'none yet' : <Time seconds={Date.parse(at) / 1000} />),
  },
];

/** How far what is published to a broker is. */
export function PublishersView({ of: { publishers } }: { of: FeedsStatus }) {
  if (publishers.length === 0) return <Empty>This server publishes to no broker.</Empty>;
  return <RowTable of={publishers} caption="Streams of a broker" columns={columns} keyOf={of => of.stream} />;
}
