import { useApi } from '../api/loaded.ts';
import { suggestionOf } from '../api/suggestions.ts';
import { LoadedView } from '../components/loaded-view.tsx';
import { Empty } from '../components/message.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { kindOf, networkOfAddress, pageOf } from '../format/identify.ts';
import { chainRevision } from '../live/feed.ts';
import { address } from '../router.ts';

export function Page() {
  const text = (address.value.query.get('q') ?? '').trim();
  return (
    <>
      <PageTitle title="Search" />
      {text === '' ? (
        <Empty>Write what you look for into the box above. The key / moves there.</Empty>
      ) : (
        <Results key={text} text={text} />
      )}
    </>
  );
}

function Results({ text }: { text: string }) {
  const hits = useApi('/extended/v3/search', { q: text.replace(/^#/, '') }, chainRevision);
  return (
    <Section title="Results">
      <p class="break">
        for <Untrusted text={text} max={200} />
      </p>
      <LoadedView of={hits} missing={<Hints text={text} />}>
        {({ results }) =>
          results.length === 0 ? (
            <Hints text={text} />
          ) : (
            <ul class="results">
              {results.map(suggestionOf).map(({ kind, label, href }) => (
                <li key={href}>
                  <span class="kind">{kind}</span>{' '}
                  <a href={href}>
                    <Untrusted text={label} />
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </LoadedView>
    </Section>
  );
}

/** What the text could be, and where it might still appear. */
function Hints({ text }: { text: string }) {
  const page = pageOf(text);
  const network = networkOfAddress(text);
  return (
    <>
      <Empty>Nothing was found.</Empty>
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
    </>
  );
}
