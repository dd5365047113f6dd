import { BlockTable } from '../components/blocks/block-table.tsx';
import { MoreList, nextByOffset } from '../components/more-list.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { counted } from '../format/number.ts';
import { chainRevision } from '../live/feed.ts';

export function Page() {
  return (
    <>
      <PageTitle title="Blocks" />
      <MoreList
        path="/extended/v2/blocks/"
        parameters={{ limit: 30 }}
        revision={chainRevision}
        empty="No blocks yet."
        next={nextByOffset}
      >
        {(blocks, first) => (
          <Section title={counted(first.total, 'block')}>
            <BlockTable of={blocks} caption="Blocks, newest first" />
          </Section>
        )}
      </MoreList>
    </>
  );
}
