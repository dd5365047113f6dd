import type { NftCollection } from '../api/schema.ts';
import { MoreList } from '../components/more-list.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { type Tile, Tiles } from '../components/tokens/tiles.tsx';
import { Principal } from '../components/values/principal.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { counted, formatCount } from '../format/number.ts';
import { assetName } from '../format/shorten.ts';
import { chainRevision } from '../live/feed.ts';

/** The first item stands for its collection. */
const FIRST = 1n;

function tileOf({ contract_id: contract, asset_identifier: asset, items, holders }: NftCollection): Tile {
  const name = asset === null ? (contract.split('.')[1] ?? contract) : assetName(asset);
  return {
    contract,
    number: FIRST,
    href: asset === null ? `/contract/${contract}` : `/token/${encodeURIComponent(asset)}`,
    title: <Untrusted text={name} max={60} />,
    short: [...name].slice(0, 2).join(''),
    below: (
      <>
        {formatCount(BigInt(items))} {items === '1' ? 'item' : 'items'}, {counted(holders, 'holder')}
        <br />
        <Principal of={contract} />
      </>
    ),
  };
}

export function Page() {
  return (
    <>
      <PageTitle title="Collections" />
      <p class="lead">
        Non-fungible tokens: every item is unlike the others. Anybody can give a collection any name and any picture:
        the contract tells which one it is.
      </p>
      <MoreList
        path="/extended/v1/tokens/nft/collections"
        parameters={{ limit: 24 }}
        revision={chainRevision}
        next={({ next }) => (next === null ? undefined : { cursor: next })}
        empty="No collection has been found yet."
      >
        {collections => (
          <Section title="Found last first" aside={<a href="/tokens">Tokens</a>}>
            <Tiles of={collections.map(tileOf)} label="Collections" />
          </Section>
        )}
      </MoreList>
    </>
  );
}
