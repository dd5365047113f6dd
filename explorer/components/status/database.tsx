import type { DatabaseStatus, ReadServer } from '../../api/schema.ts';
import { formatBytes, formatCount } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { Facts } from '../facts.tsx';
import { type Column, RowTable } from '../row-table.tsx';
import { BlockLink } from '../values/links.tsx';

const conditions: Record<ReadServer['condition'], string> = {
  unknown: 'not checked yet',
  usable: 'ready',
  behind: 'behind: it gets no requests until it has caught up',
  unreachable: 'does not respond',
  refused: 'no replica of this primary: it gets no requests',
};

const columns: readonly Column<ReadServer>[] = [
  { title: 'Server', cell: server => server.name },
  { title: 'State', cell: server => conditions[server.condition] },
  { title: 'Responses are read from it', cell: server => (server.in_use ? 'yes' : 'no') },
  {
    title: 'Block',
    number: true,
    cell: ({ block_height: height }) => (height === null ? '–' : <BlockLink height={height} />),
  },
  {
    title: 'Behind by',
    number: true,
    cell: server => (server.lag_seconds < 1 ? 'less than a second' : formatDuration(server.lag_seconds)),
  },
  { title: 'Requests now', number: true, cell: server => formatCount(server.in_flight) },
];

/** The size of the database, and the servers that responses are read from. */
export function DatabaseView({ of: { size_bytes, servers } }: { of: DatabaseStatus }) {
  return (
    <>
      <Facts of={[['Size', formatBytes(size_bytes)]]} />
      <RowTable of={servers} caption="Primary and replicas" columns={columns} keyOf={server => server.name} />
    </>
  );
}
