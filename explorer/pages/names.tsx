import { useState } from 'preact/hooks';
import { useApi } from '../api/loaded.ts';
import { LoadedView } from '../components/loaded-view.tsx';
import { Empty } from '../components/message.tsx';
import { NameChips } from '../components/name-chips.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { formatCount } from '../format/number.ts';
import { chainRevision } from '../live/feed.ts';
import { address, navigate, setQuery } from '../router.ts';

export function Page() {
  const { query } = address.value;
  const page = Math.max(0, Number(query.get('page') ?? 0) || 0);
  const names = useApi('/v1/names/', { page }, chainRevision);
  const namespaces = useApi('/v1/namespaces/', {}, chainRevision);
  return (
    <>
      <PageTitle title="Names" />
      <p class="lead">A name such as muneeb.btc belongs to an account and can stand for it.</p>
      <Section title="Look up a name">
        <Lookup />
      </Section>
      <div class="columns two">
        <Section title="Newest names" aside={page > 0 ? `Page ${formatCount(page + 1)}` : undefined}>
          <LoadedView of={names} missing={<Empty>There are no further names.</Empty>}>
            {list =>
              list.length === 0 ? (
                <Empty>No names are registered yet.</Empty>
              ) : (
                <>
                  <NameChips of={list} />
                  <p class="more">
                    {page > 0 && (
                      <button
                        type="button"
                        onClick={() => setQuery({ page: page === 1 ? undefined : String(page - 1) })}
                      >
                        Page before
                      </button>
                    )}
                    {list.length >= 100 && (
                      <button type="button" onClick={() => setQuery({ page: String(page + 1) })}>
                        Next page
                      </button>
                    )}
                  </p>
                </>
              )
            }
          </LoadedView>
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
                      .<Untrusted text={namespace} />
                    </li>
                  ))}
                </ul>
              )
            }
          </LoadedView>
        </Section>
      </div>
    </>
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
