import { useApi } from '../api/loaded.ts';
import type { BurnBlock } from '../api/schema.ts';
import { BlockTable } from '../components/blocks/block-table.tsx';
import { Facts } from '../components/facts.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { MoreList, nextByOffset } from '../components/more-list.tsx';
import { NotFound } from '../components/not-found.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { Hash } from '../components/values/hash.tsx';
import { Time } from '../components/values/time.tsx';
import { counted, formatCount } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { chainRevision } from '../live/feed.ts';
import type { PageProps } from '../page.ts';

export function Page({ parameter }: PageProps) {
  const block = useApi('/extended/v2/burn-blocks/{height_or_hash}', { height_or_hash: parameter }, chainRevision);
  const missing = (
    <NotFound
      kind="Bitcoin block"
      what={parameter}
      hints={[
        'Only Bitcoin blocks with Stacks blocks are listed here.',
        'It may have been replaced by a Bitcoin reorganization, or be above the tip.',
      ]}
    />
  );
  return (
    <LoadedView
      of={block}
      missing={missing}
      gone="A fork has removed the Stacks blocks of this Bitcoin block, or Bitcoin has replaced it. Below is what was known of it."
    >
      {data => <BurnBlockView block={data} />}
    </LoadedView>
  );
}

function BurnBlockView({ block }: { block: BurnBlock }) {
  const height = block.burn_block_height;
  return (
    <>
      <PageTitle
        kind="Bitcoin block"
        title={formatCount(height)}
        aside={
          <nav class="steps" aria-label="Neighbouring Bitcoin blocks">
            <a href={`/burn-block/${height - 1}`}>← {formatCount(height - 1)}</a>
            <a href={`/burn-block/${height + 1}`}>{formatCount(height + 1)} →</a>
          </nav>
        }
      />
      <p class="lead">
        The Stacks blocks below were made while this was the newest Bitcoin block: to undo them, it would have to be
        undone.
      </p>
      <Section title="About this block">
        <Facts
          of={[
            ['Made', <Time key="time" seconds={block.burn_block_time} exact />],
            ['Hash', <Hash key="hash" value={block.burn_block_hash} whole copy />],
            ['Stacks blocks', formatCount(block.stacks_blocks.length)],
            ['Transactions', formatCount(block.total_tx_count)],
            block.avg_block_time > 0 && ['Time between its blocks', formatDuration(block.avg_block_time)],
          ]}
        />
      </Section>
      <Section title={counted(block.stacks_blocks.length, 'Stacks block')}>
        <MoreList
          path="/extended/v2/burn-blocks/{height_or_hash}/blocks"
          parameters={{ height_or_hash: height, limit: 30 }}
          revision={chainRevision}
          next={nextByOffset}
          empty="No Stacks blocks were made on this Bitcoin block."
        >
          {blocks => <BlockTable of={blocks} caption="Stacks blocks of this Bitcoin block" />}
        </MoreList>
      </Section>
    </>
  );
}
