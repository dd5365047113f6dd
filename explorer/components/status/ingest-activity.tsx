import type { IngestActivity } from '../../api/schema.ts';
import { LineChart } from '../../charts/line-chart.tsx';
import { counted, formatCount } from '../../format/number.ts';
import { Bar } from '../bar.tsx';
import { Facts } from '../facts.tsx';
import { Empty } from '../message.tsx';
import { BlockLink } from '../values/links.tsx';
import { Time } from '../values/time.tsx';

const secondsOf = (iso: string) => Date.parse(iso) / 1000;

/** How fast events become rows: the rate, and the size of the last batches. */
export function IngestRate({ of: { batches } }: { of: IngestActivity }) {
  if (batches.length < 2) return <Empty>Nothing has arrived yet.</Empty>;
  const span = secondsOf(batches.at(-1)!.at) - secondsOf(batches[0]!.at);
  const later = batches.slice(1);
  const sum = (key: 'events' | 'blocks') => later.reduce((total, batch) => total + batch[key], 0);
  const perMinute = (count: number) => (span > 0 ? `${formatCount(Math.round((count / span) * 60))} a minute` : '–');
  return (
    <>
      <Facts
        of={[
          ['Events', perMinute(sum('events'))],
          ['Blocks', perMinute(sum('blocks'))],
        ]}
      />
      <LineChart
        title="Events in each of the last batches"
        x={batches.map(batch => secondsOf(batch.at))}
        xIs="time"
        style="lines"
        format={formatCount}
        lines={[
          { label: 'Events', tone: 'accent', values: batches.map(batch => batch.events) },
          { label: 'Blocks', tone: 'blue', values: batches.map(batch => batch.blocks) },
        ]}
      />
    </>
  );
}

/** The last forks; the bar is the number of blocks that were replaced. */
export function Reorgs({ of: { reorgs } }: { of: IngestActivity }) {
  if (reorgs.length === 0) return <Empty>No fork has removed a block.</Empty>;
  const most = Math.max(...reorgs.map(reorg => reorg.removed_blocks), 1);
  return (
    <ol class="reorgs">
      {reorgs.map(({ at, fork_height, removed_blocks }) => (
        <li key={at + fork_height}>
          <span>
            After block <BlockLink height={fork_height} /> <Time seconds={secondsOf(at)} />
          </span>
          <Bar label="Replaced" part={removed_blocks} whole={most} text={counted(removed_blocks, 'block')} />
        </li>
      ))}
    </ol>
  );
}
