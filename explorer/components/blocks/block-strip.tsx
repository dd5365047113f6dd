import { counted, formatCount } from '../../format/number.ts';
import { groupByBurnBlock, type SeenBlock } from '../../live/chain-view.ts';
import { seenBlocks } from '../../live/feed.ts';
import { Empty } from '../message.tsx';
import { Time } from '../values/time.tsx';

const MAX_BAR = 64;

/** The newest blocks as they arrive, newest first, in groups by Bitcoin block. Orphans stay visible for a while. */
export function BlockStrip() {
  const blocks = seenBlocks.value;
  if (blocks.length === 0) return <Empty>No blocks yet. The first one appears here when it arrives.</Empty>;
  const most = Math.max(...blocks.map(block => block.transactions), 1);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="strip" aria-label="Newest blocks" tabIndex={0}>
      {groupByBurnBlock(blocks).map(group => (
        <div class="burn-group" key={`${group.burnHeight}-${group.blocks.at(-1)!.hash}`}>
          <ol>
            {group.blocks.map(block => (
              <StripBlock key={block.hash} block={block} most={most} />
            ))}
          </ol>
          <a
            class="burn-label"
            href={`/burn-block/${group.burnHeight}`}
            title={`Bitcoin block ${group.burnHeight}, tenure ${group.tenure}`}
          >
            Bitcoin {formatCount(group.burnHeight)}
          </a>
        </div>
      ))}
    </section>
  );
}

function StripBlock({ block, most }: { block: SeenBlock; most: number }) {
  const { height, hash, canonical, transactions, time } = block;
  const label = `Block ${height}, ${counted(transactions, 'transaction')}${canonical ? '' : ', orphaned by a fork'}`;
  return (
    <li class={canonical ? 'strip-block' : 'strip-block orphan'}>
      <a href={`/block/${canonical ? height : hash}`} title={label}>
        <span class="column" aria-hidden="true">
          <span class="fill" style={{ height: `${6 + (transactions / most) * MAX_BAR}px` }} />
        </span>
        <span class="height">
          <span class="sr-only">Block </span>
          {formatCount(height)}
        </span>
        <span class="soft">{canonical ? `${transactions} tx` : 'orphaned'}</span>
        <span class="soft">
          <Time seconds={time} short />
        </span>
      </a>
    </li>
  );
}
