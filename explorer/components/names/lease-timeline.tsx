import { useApi } from '../../api/loaded.ts';
import type { NameChange, NameDetails } from '../../api/schema.ts';
import { type Lease, leaseChanges, leaseOf, type Mark, type MarkKind } from '../../chain/lease.ts';
import { type Pace, timeAt } from '../../chain/pace.ts';
import { counted } from '../../format/number.ts';
import { seenBlocks } from '../../live/feed.ts';
import { stacksPace, useBitcoinPace } from '../../live/pace.ts';
import { changeWords } from '../../words/name.ts';
import { Empty, Pending } from '../message.tsx';
import { type Column, RowTable } from '../row-table.tsx';
import { BlockLink, BurnBlockLink } from '../values/links.tsx';
import { Time } from '../values/time.tsx';

type Props = { name: NameDetails; history: readonly NameChange[] };

/** The lease of a name as a bar: when it began, now, its end, and how long it can still be renewed. */
export function LeaseTimeline({ name, history }: Props) {
  const { begun, renewed } = leaseChanges(history);
  const { chain, never, height } = name.expires;
  const registered = useHeight(begun?.block_height, chain);
  const renewal = useHeight(renewed?.block_height, chain);
  const bitcoinPace = useBitcoinPace();
  const tip = seenBlocks.value.find(block => block.canonical);
  const now = chain === 'burn' ? tip?.burnHeight : name.at_block;
  const pace = chain === 'burn' ? bitcoinPace : stacksPace();
  if (registered === 'loading' || renewal === 'loading' || now === undefined) return <Pending />;
  const lease = leaseOf(name, { registered, renewed: renewal, now });
  if (!lease)
    return <Empty>{height === null ? 'The end of its lease is not known.' : 'It has no lease any more.'}</Empty>;
  const words: Record<MarkKind, string> = {
    registered: begun ? changeWords(begun.last_change) : 'Registered',
    renewed: 'Renewed',
    now: 'Now',
    ends: 'Lease ends',
    renewable: 'Renewable until',
  };
  return (
    <>
      <LeaseBar of={lease} />
      <RowTable
        of={lease.marks}
        caption="The lease in blocks"
        columns={columnsOf(words, chain, now, pace)}
        keyOf={({ kind }) => kind}
      />
      {never && <p class="soft">This name has no end: it need not be renewed.</p>}
    </>
  );
}

/** A Stacks height in blocks of the chain that the lease counts; undefined if its block is not known. */
function useHeight(height: number | undefined, chain: 'stacks' | 'burn'): number | undefined | 'loading' {
  const block = useApi('/extended/v2/blocks/{height_or_hash}', { height_or_hash: height ?? 'latest' });
  if (height === undefined || chain === 'stacks') return height;
  if (block.state === 'loading') return 'loading';
  return block.state === 'ready' ? block.data.burn_block_height : undefined;
}

function LeaseBar({ of: { marks, stretches } }: { of: Lease }) {
  const now = marks.find(({ kind }) => kind === 'now')!.position;
  return (
    <div class="lease" aria-hidden="true">
      <span class={`lease-now ${now < 15 ? 'at-left' : now > 85 ? 'at-right' : ''}`} style={{ left: `${now}%` }}>
        Now
      </span>
      <div class="lease-bar">
        {stretches.map(({ kind, from, to }) => (
          <span key={kind} class={`lease-${kind}`} style={{ left: `${from}%`, width: `${to - from}%` }} />
        ))}
        {marks.map(({ kind, position }) => (
          <span key={kind} class={`lease-mark ${kind}`} style={{ left: `${position}%` }} />
        ))}
      </div>
    </div>
  );
}

function columnsOf(
  words: Record<MarkKind, string>,
  chain: 'stacks' | 'burn',
  now: number,
  pace: Pace | undefined,
): readonly Column<Mark>[] {
  return [
    {
      title: 'What',
      cell: ({ kind }) => (
        <>
          <span class={`swatch lease-swatch ${kind}`} aria-hidden="true" /> {words[kind]}
        </>
      ),
    },
    {
      title: chain === 'burn' ? 'Bitcoin block' : 'Block',
      number: true,
      cell: ({ height }) => (chain === 'burn' ? <BurnBlockLink height={height} /> : <BlockLink height={height} />),
    },
    {
      title: 'When',
      cell: ({ kind, height }) => (kind === 'now' ? '' : <When height={height} now={now} pace={pace} />),
    },
  ];
}

/** How far a height lies from the newest one, and about when that is. */
function When({ height, now, pace }: { height: number; now: number; pace: Pace | undefined }) {
  const distance = counted(Math.abs(height - now), 'block');
  return (
    <>
      {height > now ? `in ${distance}` : `${distance} ago`}
      {pace && (
        <span class="soft">
          , about <Time seconds={timeAt(pace, height)} />
        </span>
      )}
    </>
  );
}
