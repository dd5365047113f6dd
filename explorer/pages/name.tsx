import { useApi } from '../api/loaded.ts';
import type { NameDetails, NameExpiry } from '../api/schema.ts';
import { Facts } from '../components/facts.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Empty, Notice } from '../components/message.tsx';
import { NotFound } from '../components/not-found.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { Stx } from '../components/values/amount.tsx';
import { Hash } from '../components/values/hash.tsx';
import { BlockLink, BurnBlockLink, TxLink } from '../components/values/links.tsx';
import { Principal } from '../components/values/principal.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { mixesScripts } from '../format/visible-text.ts';
import { chainRevision } from '../live/feed.ts';
import type { PageProps } from '../routes.ts';
import { changeWords, stateWords } from '../words/name.ts';

export function Page({ parameter: name }: PageProps) {
  const details = useApi('/extended/v1/names/{name}', { name }, chainRevision);
  return (
    <LoadedView of={details} missing={<Free name={name} />}>
      {data => (
        <>
          <PageTitle kind="Name" title={data.name}>
            <Untrusted text={data.name} />
          </PageTitle>
          {mixesScripts(data.name) && (
            <Notice kind="warn">
              This name mixes letters of several scripts. It may be made to look like another name.
            </Notice>
          )}
          <div class="columns two">
            <Lease name={data} />
            <Zonefile name={data.name} />
          </div>
          <History name={data.name} />
        </>
      )}
    </LoadedView>
  );
}

function Lease({ name }: { name: NameDetails }) {
  return (
    <Section title="Owner and lease">
      <Facts
        of={[
          ['State', stateWords(name.state)],
          ['Owner', name.owner === null ? 'nobody' : <Principal key="owner" of={name.owner} whole copy />],
          ['Lease ends', <Expiry key="ends" of={name.expires} />],
          name.listing_price !== null && ['For sale at', <Stx key="price" micro={name.listing_price} />],
          name.token_id !== null && ['Token', name.token_id],
          name.zonefile_hash !== null && ['Zonefile hash', <Hash key="zonefile" value={name.zonefile_hash} copy />],
          ['Version of the name system', `BNS v${name.version}`],
        ]}
      />
    </Section>
  );
}

function Expiry({ of: { never, height, grace_until, chain } }: { of: NameExpiry }) {
  if (never) return <>never</>;
  if (height === null) return <>not known</>;
  const link = (at: number) => (chain === 'burn' ? <BurnBlockLink height={at} /> : <BlockLink height={at} />);
  return (
    <>
      {chain === 'burn' ? 'at Bitcoin block ' : 'at block '}
      {link(height)}
      {grace_until !== null && <>, with time to renew until {link(grace_until)}</>}
    </>
  );
}

function Zonefile({ name }: { name: string }) {
  const zonefile = useApi('/v1/names/{name}/zonefile', { name });
  return (
    <Section title="Zonefile">
      <LoadedView of={zonefile} missing={<Empty>This name has no zonefile.</Empty>}>
        {data =>
          data.zonefile === '' ? (
            <Empty>This name has no zonefile.</Empty>
          ) : (
            <pre class="text">
              <Untrusted text={data.zonefile} />
            </pre>
          )
        }
      </LoadedView>
    </Section>
  );
}

function History({ name }: { name: string }) {
  const history = useApi('/extended/v1/names/{name}/history', { name, limit: 50 }, chainRevision);
  return (
    <Section title="History">
      <LoadedView of={history}>
        {({ results }) => (
          <ol class="timeline">
            {results.map(change => (
              <li class="done" key={`${change.block_height}${change.tx_id}${change.last_change}`}>
                <b>{changeWords(change.last_change)}</b> in block <BlockLink height={change.block_height} />
                {change.owner !== null && (
                  <>
                    , owner <Principal of={change.owner} />
                  </>
                )}{' '}
                {change.tx_id !== null && <TxLink id={change.tx_id} />}
              </li>
            ))}
          </ol>
        )}
      </LoadedView>
    </Section>
  );
}

/** Nobody owns it: it may be free. */
function Free({ name }: { name: string }) {
  const availability = useApi('/extended/v1/names/{name}/availability', { name });
  if (availability.state !== 'ready' || !availability.data.available) {
    return (
      <NotFound
        kind="Name"
        what={name}
        hints={['Nobody owns it.', 'A name is written with its namespace, such as alice.btc.']}
      />
    );
  }
  return (
    <>
      <PageTitle kind="Name" title={name}>
        <Untrusted text={name} />
      </PageTitle>
      <Notice kind="info">
        Nobody owns this name. It can be registered
        {availability.data.price !== null && (
          <>
            {' '}
            for <Stx micro={availability.data.price} />
          </>
        )}
        .
      </Notice>
    </>
  );
}
