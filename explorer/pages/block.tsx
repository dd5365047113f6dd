import { useApi } from '../api/loaded.ts';
import type { NakamotoBlock } from '../api/schema.ts';
import { BlockSigners } from '../components/blocks/block-signers.tsx';
import { Facts } from '../components/facts.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Notice } from '../components/message.tsx';
import { MoreList, nextByCursor } from '../components/more-list.tsx';
import { NotFound } from '../components/not-found.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { CostBars } from '../components/transactions/cost-bars.tsx';
import { TxTable } from '../components/transactions/tx-table.tsx';
import { Hash } from '../components/values/hash.tsx';
import { BlockLink, BurnBlockLink, TenureLink } from '../components/values/links.tsx';
import { Time } from '../components/values/time.tsx';
import { counted, formatCount } from '../format/number.ts';
import { chainRevision, seenBlocks } from '../live/feed.ts';
import type { PageProps } from '../page.ts';

export function Page({ parameter }: PageProps) {
  const block = useApi('/extended/v2/blocks/{height_or_hash}', { height_or_hash: parameter }, chainRevision);
  const orphan = seenBlocks.value.find(({ hash, canonical }) => hash === parameter && !canonical);
  const missing = orphan ? (
    <>
      <PageTitle kind="Block" title={formatCount(orphan.height)} />
      <Notice kind="warn">
        <p>
          This block is orphaned: a fork replaced it. The chain now has <BlockLink height={orphan.height} /> in its
          place.
        </p>
      </Notice>
      <Facts
        of={[
          ['Hash', <Hash key="hash" value={orphan.hash} whole copy />],
          ['Made', <Time key="time" seconds={orphan.time} exact />],
          ['Transactions', formatCount(orphan.transactions)],
        ]}
      />
    </>
  ) : (
    <NotFound
      kind="Block"
      what={parameter}
      hints={[
        'A height above the tip appears here when the block arrives: this page then loads it.',
        'A hash may belong to a block that a fork has removed, or to another network.',
      ]}
    />
  );
  return (
    <LoadedView
      of={block}
      missing={missing}
      gone="A fork has removed this block from the chain. Below is what was known of it."
    >
      {data => <BlockView block={data} />}
    </LoadedView>
  );
}

function BlockView({ block }: { block: NakamotoBlock }) {
  const tip = seenBlocks.value.find(({ canonical }) => canonical);
  const hasNext = tip !== undefined && block.height < tip.height;
  return (
    <>
      <PageTitle
        kind="Block"
        title={formatCount(block.height)}
        aside={
          <nav class="steps" aria-label="Neighbouring blocks">
            {block.height > 1 && <a href={`/block/${block.height - 1}`}>← {formatCount(block.height - 1)}</a>}
            {hasNext && <a href={`/block/${block.height + 1}`}>{formatCount(block.height + 1)} →</a>}
          </nav>
        }
      />
      {!block.canonical && (
        <Notice kind="warn">
          This block is orphaned: a fork replaced it. The chain has <BlockLink height={block.height} /> in its place.
        </Notice>
      )}
      <Section title="About this block">
        <Facts
          of={[
            ['Made', <Time key="time" seconds={block.block_time} exact />],
            ['Hash', <Hash key="hash" value={block.hash} whole copy />],
            [
              'Index hash',
              <span key="index">
                <Hash value={block.index_block_hash} whole copy />{' '}
                <span class="soft">(with its place in the chain)</span>
              </span>,
            ],
            ['Parent', <Hash key="parent" value={block.parent_block_hash} href={`/block/${block.height - 1}`} />],
            [
              'Tenure',
              <span key="tenure">
                <TenureLink tenure={block.tenure_height} />{' '}
                <span class="soft">(the turn of one miner, who was chosen on Bitcoin)</span>
              </span>,
            ],
            [
              'Bitcoin block',
              <span key="burn">
                <BurnBlockLink height={block.burn_block_height} /> <Time seconds={block.burn_block_time} />
              </span>,
            ],
            ['Transactions', formatCount(block.tx_count)],
            block.miner_txid !== '0x' &&
              block.miner_txid !== '' && [
                'Bitcoin transaction of the miner',
                <Hash key="miner" value={block.miner_txid} copy />,
              ],
          ]}
        />
      </Section>
      <Section title={counted(block.tx_count, 'transaction')}>
        <MoreList
          path="/extended/v3/blocks/{height_or_hash}/transactions"
          parameters={{ height_or_hash: block.hash, limit: 50 }}
          next={nextByCursor}
          empty="The block holds no transactions."
        >
          {transactions => <TxTable of={transactions} caption="Transactions of the block" />}
        </MoreList>
      </Section>
      <Section title="Cost against the limits of a tenure">
        <p class="soft">How much of the work that a miner may do in one turn this block took.</p>
        <CostBars
          cost={{
            runtime: block.execution_cost_runtime,
            read_count: block.execution_cost_read_count,
            read_length: block.execution_cost_read_length,
            write_count: block.execution_cost_write_count,
            write_length: block.execution_cost_write_length,
          }}
          burnHeight={block.burn_block_height}
        />
      </Section>
      <Section title="Who signed it">
        <p class="soft">
          Signers check each block. Their weight is their share of the STX that are locked by{' '}
          <a href="/stacking">stacking</a>.
        </p>
        <BlockSigners hash={block.hash} height={block.height} />
      </Section>
    </>
  );
}
