import { useApi } from '../../api/loaded.ts';
import { counted, formatCount } from '../../format/number.ts';
import { assetContract } from '../../format/shorten.ts';
import { chainRevision } from '../../live/feed.ts';
import { HolderList } from '../accounts/holder-list.tsx';
import { Facts } from '../facts.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { MoreList, nextByOffset } from '../more-list.tsx';
import { RowTable } from '../row-table.tsx';
import { Section } from '../section.tsx';
import { TxLink } from '../values/links.tsx';
import { Principal } from '../values/principal.tsx';
import { CollectionItem } from './collection-item.tsx';
import { CollectionTransfers } from './collection-transfers.tsx';
import { ItemLink } from './item-link.tsx';
import { SupplyChart } from './supply-chart.tsx';

/** A collection of NFTs: its size, who holds how many, what moved; and one item if it is chosen. */
export function CollectionView({ asset, minted, item }: { asset: string; minted: number; item: string | null }) {
  const now = useApi('/extended/v1/history/supply', { asset, points: 2 }, chainRevision);
  return (
    <>
      {item !== null && <CollectionItem key={item} asset={asset} item={item} />}
      <div class="columns two">
        <Section title="Collection">
          <LoadedView of={now}>
            {({ results }) => (
              <Facts
                of={[
                  ['Items', formatCount(BigInt(results.at(-1)?.supply ?? 0))],
                  ['Minted so far', counted(minted, 'item')],
                  ['Holders', formatCount(results.at(-1)?.holders ?? 0)],
                  ['Contract', <Principal key="contract" of={assetContract(asset)} whole copy />],
                ]}
              />
            )}
          </LoadedView>
        </Section>
        <Section title="Items over time">
          <SupplyChart asset={asset} decimals={0} />
        </Section>
      </div>
      <Section title="Holders">
        <LoadedView of={now}>
          {({ results }) => (
            <HolderList
              path="/extended/v1/tokens/nft/{asset_identifier}/holders"
              parameters={{ asset_identifier: asset }}
              total={BigInt(results.at(-1)?.supply ?? 0)}
              empty="All items were burned."
            />
          )}
        </LoadedView>
      </Section>
      <Section title="Transfers, newest first">
        <CollectionTransfers asset={asset} />
      </Section>
      <Section title="Mints, newest first">
        <Mints asset={asset} />
      </Section>
    </>
  );
}

function Mints({ asset }: { asset: string }) {
  return (
    <MoreList
      path="/extended/v1/tokens/nft/mints"
      parameters={{ asset_identifier: asset, limit: 25 }}
      revision={chainRevision}
      next={nextByOffset}
      empty="Nothing has been minted."
    >
      {items => (
        <RowTable
          of={items}
          caption="Mints of the collection"
          keyOf={mint => mint.value.hex}
          columns={[
            { title: 'Item', cell: ({ value }) => <ItemLink asset={asset} value={value} /> },
            { title: 'First owner', cell: mint => (mint.recipient ? <Principal of={mint.recipient} /> : '–') },
            { title: 'Minted by', cell: mint => <TxLink id={'tx_id' in mint ? mint.tx_id : mint.tx.tx_id} /> },
          ]}
        />
      )}
    </MoreList>
  );
}
