import { useApi } from '../../api/loaded.ts';
import type { TokenMetadataAttribute } from '../../api/schema.ts';
import { assetContract, shorten } from '../../format/shorten.ts';
import { chainRevision } from '../../live/feed.ts';
import { itemNumber } from '../../tokens/item.ts';
import { Facts } from '../facts.tsx';
import { MoreList, nextByCursor } from '../more-list.tsx';
import { Section } from '../section.tsx';
import { BlockLink, TxLink } from '../values/links.tsx';
import { Principal } from '../values/principal.tsx';
import { Time } from '../values/time.tsx';
import { Untrusted } from '../values/untrusted.tsx';
import { Picture } from './picture.tsx';

/** Some URIs hold the data themselves. */
const MAX_URI = 120;

/** One item of a collection: what its metadata says, and all that happened to it. */
export function CollectionItem({ asset, item }: { asset: string; item: string }) {
  const number = itemNumber(item);
  const title = number === undefined ? shorten(item, 20, 6) : `#${number}`;
  return (
    <div class="columns two">
      <Section title={`Item ${title}`}>
        {number === undefined ? (
          <p class="soft">Its id is not a number, so it has no metadata.</p>
        ) : (
          <ItemMetadata contract={assetContract(asset)} number={number} />
        )}
      </Section>
      <Section title={`History of ${title}`}>
        <ItemHistory asset={asset} item={item} />
      </Section>
    </div>
  );
}

function ItemMetadata({ contract, number }: { contract: string; number: bigint }) {
  const loaded = useApi('/metadata/v1/nft/{principal}/{token_id}', { principal: contract, token_id: String(number) });
  if (loaded.state === 'loading') return <p class="soft">Loading…</p>;
  if (loaded.state !== 'ready' || !loaded.data.metadata) {
    return <p class="soft">Its contract names no metadata, or it has not been read yet.</p>;
  }
  const { token_uri, metadata } = loaded.data;
  const text = (value: string | undefined, max = 1000) =>
    value !== undefined && value !== '' && <Untrusted text={value} max={max} />;
  return (
    <Facts
      of={[
        ['Name', text(metadata.name)],
        ['Description', text(metadata.description)],
        ['Traits', metadata.attributes && <Traits of={metadata.attributes} />],
        (metadata.cached_image ?? metadata.image) !== undefined && [
          'Picture',
          <Picture
            key="picture"
            uri={metadata.cached_image ?? metadata.image}
            name={`item ${number}`}
            contract={contract}
            number={number}
          />,
        ],
        ['Details at', text(token_uri, MAX_URI)],
      ]}
    />
  );
}

const Traits = ({ of }: { of: readonly TokenMetadataAttribute[] }) => (
  <ul class="plain">
    {of.map(({ trait_type, value }, index) => (
      <li key={index}>
        <Untrusted text={trait_type} max={100} />:{' '}
        <Untrusted text={typeof value === 'string' ? value : JSON.stringify(value)} max={200} />
      </li>
    ))}
  </ul>
);

function ItemHistory({ asset, item }: { asset: string; item: string }) {
  return (
    <MoreList
      path="/extended/v3/tokens/nft/{asset_identifier}/{value}/history"
      parameters={{ asset_identifier: asset, value: item }}
      revision={chainRevision}
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
  );
}
