import { useState } from 'preact/hooks';
import { useApi } from '../api/loaded.ts';
import type { NamespaceDetails } from '../api/schema.ts';
import { Facts } from '../components/facts.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Empty } from '../components/message.tsx';
import { NameList } from '../components/names/name-list.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { BlockLink, BurnBlockLink } from '../components/values/links.tsx';
import { Principal } from '../components/values/principal.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { formatCount } from '../format/number.ts';
import { chainRevision } from '../live/feed.ts';
import { currentUrl, navigate } from '../router.ts';

export function Page() {
  const namespace = currentUrl.value.query.get('namespace') ?? '';
  return namespace === '' ? <AllNames /> : <Namespace key={namespace} name={namespace} />;
}

function AllNames() {
  const namespaces = useApi('/v1/namespaces/', {}, chainRevision);
  return (
    <>
      <PageTitle title="Names" />
      <p class="lead">
        A name such as alice.btc belongs to an account and can stand for it. The part after the dot is its namespace,
        which sets prices and how long a name is leased.
      </p>
      <div class="columns two">
        <Section title="Look up a name">
          <Lookup />
        </Section>
        <Section title="Namespaces">
          <LoadedView of={namespaces}>
            {list =>
              list.namespaces.length === 0 ? (
                <Empty>No namespace is open yet.</Empty>
              ) : (
                <ul class="chips">
                  {list.namespaces.map(namespace => (
                    <li key={namespace}>
                      <a href={`/names?namespace=${encodeURIComponent(namespace)}`}>
                        .<Untrusted text={namespace} />
                      </a>
                    </li>
                  ))}
                </ul>
              )
            }
          </LoadedView>
        </Section>
      </div>
      <Section title="All names" aside="in alphabetical order">
        <NameList path="/v1/names/" empty="No names are registered yet." />
      </Section>
    </>
  );
}

function Namespace({ name }: { name: string }) {
  const details = useApi('/extended/v1/namespaces/{namespace}', { namespace: name }, chainRevision);
  return (
    <>
      <PageTitle kind="Names in" title={`.${name}`} aside={<a href="/names">All names</a>}>
        .<Untrusted text={name} max={60} />
      </PageTitle>
      <Section title="Namespace">
        <LoadedView of={details} missing={<Empty>This server does not know the namespace.</Empty>}>
          {data => <NamespaceFacts of={data} />}
        </LoadedView>
      </Section>
      <Section title="Its names" aside="in alphabetical order">
        <NameList
          path="/v1/namespaces/{tld}/names"
          parameters={{ tld: name }}
          empty="No name of this namespace is registered."
        />
      </Section>
    </>
  );
}

function NamespaceFacts({ of }: { of: NamespaceDetails }) {
  const bitcoin = of.chain === 'burn';
  return (
    <Facts
      of={[
        [
          'Names last for',
          of.lifetime === 0
            ? 'ever: they need not be renewed'
            : `${formatCount(of.lifetime)} ${bitcoin ? 'Bitcoin blocks' : 'blocks'}, then they must be renewed`,
        ],
        [
          'Open since',
          of.launched_at === null ? (
            'not yet'
          ) : (
            <span key="open">
              {bitcoin ? 'Bitcoin block ' : 'block '}
              {bitcoin ? <BurnBlockLink height={of.launched_at} /> : <BlockLink height={of.launched_at} />}
            </span>
          ),
        ],
        of.importer !== null && ['Opened by', <Principal key="importer" of={of.importer} whole copy />],
        of.manager !== null && ['Managed by', <Principal key="manager" of={of.manager} whole copy />],
        ['Name system', `BNS v${of.version}`],
      ]}
    />
  );
}

function Lookup() {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    const name = text.trim().toLowerCase();
    if (name !== '') navigate(`/name/${encodeURIComponent(name)}`);
  };
  return (
    <form class="call" onSubmit={submit}>
      <p class="field">
        <label for="name">Name with its namespace</label>
        <input
          id="name"
          placeholder="alice.btc"
          value={text}
          spellcheck={false}
          autocapitalize="none"
          onInput={event => setText(event.currentTarget.value)}
        />
      </p>
      <button type="submit">Look up</button>
    </form>
  );
}
