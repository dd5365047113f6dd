import { useApi } from '../../api/loaded.ts';
import type { PoxEvent } from '../../api/schema.ts';
import { chainRevision } from '../../live/feed.ts';
import { stackingWords } from '../../words/stacking.ts';
import { LoadedView } from '../loaded-view.tsx';
import { Empty } from '../message.tsx';
import { type Column, RowTable } from '../row-table.tsx';
import { Section } from '../section.tsx';
import { Stx } from '../values/amount.tsx';
import { BlockLink, BurnBlockLink, TxLink } from '../values/links.tsx';

const SHOWN = 20;

const columns: readonly Column<PoxEvent>[] = [
  { title: 'What', cell: event => stackingWords(event.name) },
  { title: 'Locked', number: true, cell: event => <Stx micro={event.locked} /> },
  {
    title: 'Until',
    number: true,
    cell: ({ burnchain_unlock_height: height }) => (height === '0' ? '–' : <BurnBlockLink height={Number(height)} />),
  },
  {
    title: 'In block',
    number: true,
    cell: event => (
      <span class="stack">
        <BlockLink height={event.block_height} />
        <TxLink id={event.tx_id} />
      </span>
    ),
  },
];

/** What an account locked by stacking, newest first. */
export function AccountStacking({ principal }: { principal: string }) {
  const history = useApi(
    '/extended/v1/{pox}/stacker/{principal}',
    { pox: 'pox4', principal, limit: SHOWN },
    chainRevision,
  );
  const summary = useApi('/extended/v3/principals/{principal}/staking', { principal }, chainRevision);
  const staked = summary.state === 'ready' ? summary.data.stx.locked : '0';
  return (
    <Section title="Stacking" aside={<a href="/stacking">About stacking</a>}>
      {staked !== '0' && (
        <p>
          <Stx micro={staked} /> are staked now.
        </p>
      )}
      <LoadedView of={history}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty>This account never stacked.</Empty>
          ) : (
            <RowTable
              of={results}
              caption="Stacking of the account, newest first"
              columns={columns}
              keyOf={event => `${event.tx_id}${event.event_index}`}
            />
          )
        }
      </LoadedView>
    </Section>
  );
}
