import { useApi } from '../api/loaded.ts';
import type { NameChange, NameDetails } from '../api/schema.ts';
import { Facts } from '../components/facts.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Empty, Notice } from '../components/message.tsx';
import { LeaseTimeline } from '../components/names/lease-timeline.tsx';
import { NameChips } from '../components/names/name-chips.tsx';
import { OwnedNames } from '../components/names/owned-names.tsx';
import { NotFound } from '../components/not-found.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { Stx } from '../components/values/amount.tsx';
import { Hash } from '../components/values/hash.tsx';
import { BlockLink, TxLink } from '../components/values/links.tsx';
import { Principal } from '../components/values/principal.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { mixesScripts } from '../format/visible-text.ts';
import { chainRevision } from '../live/feed.ts';
import type { PageProps } from '../page.ts';
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
          <Details name={data} />
        </>
      )}
    </LoadedView>
  );
}

function Details({ name }: { name: NameDetails }) {
  const history = useApi('/extended/v1/names/{name}/history', { name: name.name, limit: 50 }, chainRevision);
  return (
    <>
      <div class="columns two">
        <div class="stacked">
          <Owner name={name} />
          <Zonefile name={name.name} />
        </div>
        <Section title="Lease">
          <LoadedView of={history}>{({ results }) => <LeaseTimeline name={name} history={results} />}</LoadedView>
        </Section>
      </div>
      <div class="columns two">
        <Section title="History">
          <LoadedView of={history}>{({ results }) => <History of={results} />}</LoadedView>
        </Section>
        <div class="stacked">
          <Section title="Other names of its owner">
            {name.owner === null ? (
              <Empty>Nobody owns this name.</Empty>
            ) : (
              <OwnedNames principal={name.owner} except={name.name} empty="Its owner has no other names." />
            )}
          </Section>
          <Subdomains name={name.name} />
        </div>
      </div>
    </>
  );
}

function Owner({ name }: { name: NameDetails }) {
  return (
    <Section title="Owner">
      <Facts
        of={[
          ['State', stateWords(name.state)],
          ['Owner', name.owner === null ? 'nobody' : <Principal key="owner" of={name.owner} whole copy />],
          [
            'Namespace',
            <a key="namespace" href={`/names?namespace=${encodeURIComponent(name.namespace)}`}>
              .<Untrusted text={name.namespace} />
            </a>,
          ],
          name.listing_price !== null && ['For sale at', <Stx key="price" micro={name.listing_price} />],
          name.token_id !== null && ['Token', `${name.token_id} (a name is a collectible that can be sold)`],
          name.zonefile_hash !== null && ['Zonefile hash', <Hash key="zonefile" value={name.zonefile_hash} copy />],
          ['Name system', `BNS v${name.version}`],
        ]}
      />
    </Section>
  );
}

/** Names below this one, such as sub.alice.btc. Most names have none. */
function Subdomains({ name }: { name: string }) {
  const subdomains = useApi('/v1/names/{name}/subdomains', { name });
  if (subdomains.state !== 'ready' || subdomains.data.length === 0) return null;
  return (
    <Section title="Subdomains">
      <NameChips of={subdomains.data} />
    </Section>
  );
}

function Zonefile({ name }: { name: string }) {
  const zonefile = useApi('/v1/names/{name}/zonefile', { name });
  return (
    <Section title="Zonefile">
      <LoadedView
        of={zonefile}
        missing={<Empty>This name has no zonefile, the text that says what it stands for.</Empty>}
      >
        {data =>
          data.zonefile === '' ? (
            <Empty>This name has no zonefile, the text that says what it stands for.</Empty>
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

function History({ of }: { of: readonly NameChange[] }) {
  return (
    <ol class="timeline">
      {of.map(change => (
        <li class="done" key={`${change.block_height}${change.tx_id}${change.last_change}`}>
          <b>{changeWords(change.last_change)}</b> in block <BlockLink height={change.block_height} />
          {change.tx_id !== null && (
            <>
              {' '}
              by <TxLink id={change.tx_id} />
            </>
          )}
          {change.owner !== null && (
            <div class="soft">
              Owner <Principal of={change.owner} />
            </div>
          )}
        </li>
      ))}
    </ol>
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
