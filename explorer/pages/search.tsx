import { useEffect } from 'preact/hooks';
import { useApi } from '../api/loaded.ts';
import type { SearchHit } from '../api/schema.ts';
import { suggestionOf } from '../api/suggestions.ts';
import { LoadedView } from '../components/loaded-view.tsx';
import { Empty } from '../components/message.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { StatusBadge } from '../components/values/badge.tsx';
import { Hash } from '../components/values/hash.tsx';
import { BlockLink } from '../components/values/links.tsx';
import { Principal } from '../components/values/principal.tsx';
import { Time } from '../components/values/time.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { kindOf, networkOfAddress, pageOf } from '../format/identify.ts';
import { counted } from '../format/number.ts';
import { assetContract } from '../format/shorten.ts';
import { chainRevision } from '../live/feed.ts';
import { currentUrl, navigate } from '../router.ts';
import { symbolOf, useTokenFacts } from '../tokens/token-facts.ts';
import { typeWords } from '../words/transaction.ts';

export function Page() {
  const text = (currentUrl.value.query.get('q') ?? '').trim();
  if (text === '') {
    return (
      <>
        <PageTitle title="Search" />
        <Empty>Write what you look for into the box above. The key / moves there.</Empty>
      </>
    );
  }
  return (
    <>
      <PageTitle kind="Search for" title={text.slice(0, 200)}>
        “<Untrusted text={text} max={200} />”
      </PageTitle>
      <Results key={text} text={text} />
    </>
  );
}

function Results({ text }: { text: string }) {
  const hits = useApi('/extended/v3/search', { q: text.replace(/^#/, '') }, chainRevision);
  const only = hits.state === 'ready' && hits.data.results.length === 1 ? hits.data.results[0] : undefined;
  const isExact = only !== undefined && kindOf(text) !== 'words' && kindOf(text) !== 'name';
  useEffect(() => {
    if (isExact && only) navigate(suggestionOf(only).href, { replace: true });
  }, [isExact, only]);
  return (
    <LoadedView of={hits} missing={<Hints text={text} />}>
      {({ results }) =>
        results.length === 0 ? (
          <Hints text={text} />
        ) : (
          <Section title={counted(results.length, 'result')}>
            <ul class="results">
              {results.map(hit => (
                <Result key={suggestionOf(hit).href} hit={hit} />
              ))}
            </ul>
          </Section>
        )
      }
    </LoadedView>
  );
}

function Result({ hit }: { hit: SearchHit }) {
  const { kind, label, href } = suggestionOf(hit);
  return (
    <li>
      <span class="kind">{kind}</span>{' '}
      <a href={href}>
        <Untrusted text={label} />
      </a>
      <div class="soft">
        <HitFacts hit={hit} />
      </div>
    </li>
  );
}

/** What else is known of a hit, so that two of one name can be told apart. */
function HitFacts({ hit }: { hit: SearchHit }) {
  switch (hit.type) {
    case 'block':
      return (
        <>
          Made <Time seconds={hit.result.time} exact />
        </>
      );
    case 'bitcoin_block':
      return <Hash value={hit.result.hash} />;
    case 'transaction':
      return (
        <>
          {typeWords(hit.result.type)} <StatusBadge status={hit.result.status} /> from{' '}
          <Principal of={hit.result.sender.address} /> <Time seconds={hit.result.block.time} /> in block{' '}
          <BlockLink height={hit.result.block.height} />
        </>
      );
    case 'address':
      return <>{networkOfAddress(hit.result.principal)} address</>;
    case 'smart_contract':
      return (
        <>
          Deployed by <Principal of={hit.result.contract_id.split('.')[0]!} /> in block{' '}
          <BlockLink height={hit.result.block.height} /> <Time seconds={hit.result.block.time} />
        </>
      );
    case 'token':
      return <TokenHit asset={hit.result.asset_identifier} type={hit.result.asset_type} />;
  }
}

function TokenHit({ asset, type }: { asset: string; type: 'ft' | 'nft' }) {
  const facts = useTokenFacts(type === 'ft' ? asset : undefined);
  const symbol = type === 'ft' ? symbolOf(facts, asset) : undefined;
  return (
    <>
      {symbol !== undefined && (
        <>
          <Untrusted text={symbol} max={40} />,{' '}
        </>
      )}
      of contract <Principal of={assetContract(asset)} />
    </>
  );
}

/** What the text could be, and where it might still appear. */
function Hints({ text }: { text: string }) {
  const page = pageOf(text);
  const network = networkOfAddress(text);
  return (
    <Section title="Nothing was found.">
      <ul>
        {kindOf(text) === 'transaction-or-block' && (
          <>
            <li>
              It has the form of a transaction or a block. If you just sent it,{' '}
              <a href={`/tx/${text}`}>wait for it here</a>.
            </li>
            <li>It may be on another network, or a fork may have removed it.</li>
          </>
        )}
        {kindOf(text) === 'height' && <li>No block has this height yet.</li>}
        {network && <li>Its first letters are those of {network}.</li>}
        {page && (
          <li>
            <a href={page}>Open its page anyway</a>
          </li>
        )}
        {kindOf(text) === 'words' && (
          <li>Search by id, address, name, height, or the beginning of a contract or token name.</li>
        )}
      </ul>
    </Section>
  );
}
