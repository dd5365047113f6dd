import { BlockTable } from '../components/blocks/block-table.tsx';
import { MoreList, nextByOffset } from '../components/more-list.tsx';
import { NotFound } from '../components/not-found.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { counted, formatCount } from '../format/number.ts';
import { chainRevision } from '../live/feed.ts';
import type { PageProps } from '../page.ts';

export function Page({ parameter }: PageProps) {
  if (!/^\d{1,10}$/.test(parameter)) {
    return <NotFound kind="Tenure" what={parameter} hints={['A tenure is named by its number.']} />;
  }
  const tenure = Number(parameter);
  return (
    <>
      <PageTitle
        kind="Tenure"
        title={formatCount(tenure)}
        aside={
          <nav class="steps" aria-label="Neighbouring tenures">
            {tenure > 1 && <a href={`/tenure/${tenure - 1}`}>← {formatCount(tenure - 1)}</a>}
            <a href={`/tenure/${tenure + 1}`}>{formatCount(tenure + 1)} →</a>
          </nav>
        }
      />
      <p>A tenure is the time in which one miner, chosen on Bitcoin, makes the blocks.</p>
      <MoreList
        path="/extended/v2/block-tenures/{tenure_height}/blocks"
        parameters={{ tenure_height: tenure, limit: 30 }}
        revision={chainRevision}
        next={nextByOffset}
        empty="No blocks of this tenure are known. It may not have begun."
      >
        {(blocks, first) => (
          <Section title={counted(first.total, 'block')}>
            <BlockTable of={blocks} caption="Blocks of the tenure" />
          </Section>
        )}
      </MoreList>
    </>
  );
}
