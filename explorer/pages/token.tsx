import { useApi } from '../api/loaded.ts';
import { HolderList } from '../components/accounts/holder-list.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Pending } from '../components/message.tsx';
import { NotFound } from '../components/not-found.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { CollectionView } from '../components/tokens/collection-view.tsx';
import { SupplyChart } from '../components/tokens/supply-chart.tsx';
import { TokenMetadataView } from '../components/tokens/token-metadata.tsx';
import { TokenTransfers } from '../components/tokens/token-transfers.tsx';
import { TokenWarning } from '../components/tokens/token-warning.tsx';
import { TokensOfContract } from '../components/tokens/tokens-of-contract.tsx';
import { CopyButton } from '../components/values/copy-button.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { formatUnits } from '../format/amount.ts';
import { formatCount } from '../format/number.ts';
import { assetName } from '../format/shorten.ts';
import { chainRevision } from '../live/feed.ts';
import type { PageProps } from '../page.ts';
import { currentUrl } from '../router.ts';
import { itemValue } from '../tokens/item.ts';
import { symbolOf, useTokenFacts } from '../tokens/token-facts.ts';

export function Page({ parameter: asset }: PageProps) {
  const supply = useApi('/extended/v3/tokens/ft/{asset_identifier}/supply', { asset_identifier: asset }, chainRevision);
  const mints = useApi('/extended/v1/tokens/nft/mints', { asset_identifier: asset, limit: 1 }, chainRevision);
  const minted = mints.state === 'ready' ? (mints.data.total ?? 0) : 0;
  if (!asset.includes('::')) return <TokensOfContract contract={asset} />;
  if (minted > 0) {
    return (
      <>
        <Heading kind="Collection" asset={asset} />
        <CollectionView asset={asset} minted={minted} item={shownItem(currentUrl.value.query.get('item'))} />
      </>
    );
  }
  if (mints.state === 'loading') return <Pending />;
  return (
    <LoadedView of={supply} missing={<Missing asset={asset} />}>
      {({ total }) => (total === '0' ? <Missing asset={asset} /> : <Token asset={asset} total={BigInt(total)} />)}
    </LoadedView>
  );
}

const shownItem = (item: string | null) => (item === null ? null : itemValue(item));

const Missing = ({ asset }: { asset: string }) => (
  <NotFound
    kind="Token"
    what={asset}
    hints={[
      'A token is written ADDRESS.contract::name.',
      'It appears here once some of it has been minted.',
      'It may be on another network.',
    ]}
  />
);

function Heading({ kind, asset }: { kind: string; asset: string }) {
  return (
    <PageTitle kind={kind} title={assetName(asset)}>
      <Untrusted text={assetName(asset)} /> <CopyButton text={asset} label="Copy the identifier" />
    </PageTitle>
  );
}

function Token({ asset, total }: { asset: string; total: bigint }) {
  const facts = useTokenFacts(asset);
  const { decimals = 0 } = facts;
  return (
    <>
      <Heading kind="Token" asset={asset} />
      <TokenWarning asset={asset} facts={facts} />
      <div class="columns two">
        <Section title="Supply">
          <p class="figure" title={`${formatCount(total)} base units`}>
            <b>{formatUnits(total, decimals)}</b> <Untrusted text={symbolOf(facts, asset)} max={40} />
          </p>
          <SupplyChart asset={asset} decimals={decimals} />
        </Section>
        <TokenMetadataView asset={asset} facts={facts} />
      </div>
      <Section title="Holders">
        <HolderList
          path="/extended/v3/tokens/ft/{asset_identifier}/holders"
          parameters={{ asset_identifier: asset }}
          total={total}
          decimals={decimals}
        />
      </Section>
      <Section title="Transfers, newest first">
        <TokenTransfers asset={asset} />
      </Section>
    </>
  );
}
