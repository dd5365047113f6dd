import { useApi } from '../api/loaded.ts';
import { HolderList } from '../components/accounts/holder-list.tsx';
import { Facts } from '../components/facts.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Pending } from '../components/message.tsx';
import { MoreList, nextByCursor, nextByOffset } from '../components/more-list.tsx';
import { NotFound } from '../components/not-found.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { RowTable } from '../components/row-table.tsx';
import { Section } from '../components/section.tsx';
import { SupplyChart } from '../components/tokens/supply-chart.tsx';
import { TokenMetadataView } from '../components/tokens/token-metadata.tsx';
import { TokenTransfers } from '../components/tokens/token-transfers.tsx';
import { CopyButton } from '../components/values/copy-button.tsx';
import { BlockLink, TxLink } from '../components/values/links.tsx';
import { Principal } from '../components/values/principal.tsx';
import { Time } from '../components/values/time.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { formatUnits } from '../format/amount.ts';
import { counted, formatCount } from '../format/number.ts';
import { assetContract, assetName } from '../format/shorten.ts';
import { chainRevision } from '../live/feed.ts';
import { address } from '../router.ts';
import type { PageProps } from '../routes.ts';
import { symbolOf, useTokenFacts } from '../tokens/token-facts.ts';

export function Page({ parameter: asset }: PageProps) {
  const supply = useApi('/extended/v3/tokens/ft/{asset_identifier}/supply', { asset_identifier: asset }, chainRevision);
  const mints = useApi('/extended/v1/tokens/nft/mints', { asset_identifier: asset, limit: 1 });
  const isCollection = mints.state === 'ready' && mints.data.total > 0;
  if (!asset.includes('::')) return <Missing asset={asset} />;
  if (isCollection) return <Collection asset={asset} total={mints.data.total} />;
  if (mints.state === 'loading') return <Pending />;
  return (
    <LoadedView of={supply} missing={<Missing asset={asset} />}>
      {({ total }) => (total === '0' ? <Missing asset={asset} /> : <Token asset={asset} total={BigInt(total)} />)}
    </LoadedView>
  );
}

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

function Collection({ asset, total }: { asset: string; total: number }) {
  const item = address.value.query.get('item');
  return (
    <>
      <Heading kind="Collection" asset={asset} />
      <Section title="Collection">
        <Facts
          of={[
            ['Minted', counted(total, 'item')],
            ['Contract', <Principal key="contract" of={assetContract(asset)} whole copy />],
          ]}
        />
      </Section>
      {item !== null && <ItemHistory asset={asset} item={item} />}
      <Section title="Items, newest first">
        <MoreList
          path="/extended/v1/tokens/nft/mints"
          parameters={{ asset_identifier: asset, limit: 40 }}
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
                {
                  title: 'Item',
                  cell: ({ value }) => (
                    <a href={`/token/${encodeURIComponent(asset)}?item=${encodeURIComponent(value.hex)}`}>
                      <Untrusted text={value.repr} max={100} />
                    </a>
                  ),
                },
                { title: 'First owner', cell: mint => (mint.recipient ? <Principal of={mint.recipient} /> : '–') },
                { title: 'Minted by', cell: mint => <TxLink id={'tx_id' in mint ? mint.tx_id : mint.tx.tx_id} /> },
              ]}
            />
          )}
        </MoreList>
      </Section>
    </>
  );
}

function ItemHistory({ asset, item }: { asset: string; item: string }) {
  return (
    <Section title="History of the chosen item" aside={<code>{item.slice(0, 40)}</code>}>
      <MoreList
        path="/extended/v3/tokens/nft/{asset_identifier}/{value}/history"
        parameters={{ asset_identifier: asset, value: item }}
        next={nextByCursor}
        empty="This item does not exist."
      >
        {moves => (
          <ol class="timeline">
            {moves.map(({ sender, recipient, transaction, block }) => (
              <li class="done" key={transaction.tx_id + block.tx_index}>
                {sender === null ? 'Minted' : <Principal of={sender} />}{' '}
                {recipient === null ? (
                  'burned'
                ) : (
                  <>
                    → <Principal of={recipient} />
                  </>
                )}{' '}
                <span class="soft">
                  <Time seconds={block.time} /> in block <BlockLink height={block.height} /> by{' '}
                  <TxLink id={transaction.tx_id} />
                </span>
              </li>
            ))}
          </ol>
        )}
      </MoreList>
    </Section>
  );
}
