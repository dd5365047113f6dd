import { useApi } from '../../api/loaded.ts';
import type { Responses } from '../../api/schema.ts';
import { counted, formatCount } from '../../format/number.ts';
import { assetContract } from '../../format/shorten.ts';
import { chainRevision } from '../../live/feed.ts';
import { itemNumber, itemText } from '../../tokens/item.ts';
import { HolderList } from '../accounts/holder-list.tsx';
import { Facts } from '../facts.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { MoreList, nextByOffset } from '../more-list.tsx';
import { Section } from '../section.tsx';
import { Principal } from '../values/principal.tsx';
import { Untrusted } from '../values/untrusted.tsx';
import { CollectionItem } from './collection-item.tsx';
import { CollectionTransfers } from './collection-transfers.tsx';
import { SupplyChart } from './supply-chart.tsx';
import { type Tile, Tiles } from './tiles.tsx';

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
      <Section title="Items, newest first">
        <Items asset={asset} />
      </Section>
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
    </>
  );
}

function Items({ asset }: { asset: string }) {
  return (
    <MoreList
      path="/extended/v1/tokens/nft/mints"
      parameters={{ asset_identifier: asset, limit: 24 }}
      revision={chainRevision}
      next={nextByOffset}
      empty="Nothing has been minted."
    >
      {mints => <Tiles of={mints.map(mint => tileOf(asset, mint))} label="Items of the collection" />}
    </MoreList>
  );
}

type Mint = Responses['/extended/v1/tokens/nft/mints']['results'][number];

function tileOf(asset: string, { value, recipient }: Mint): Tile {
  const text = itemText(value.repr);
  return {
    contract: assetContract(asset),
    number: itemNumber(value.hex),
    href: `/token/${encodeURIComponent(asset)}?item=${encodeURIComponent(value.hex)}`,
    title: <Untrusted text={text} max={60} />,
    short: '◇',
    below: recipient ? (
      <>
        minted for <Principal of={recipient} />
      </>
    ) : (
      'minted'
    ),
  };
}
