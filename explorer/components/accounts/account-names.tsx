import { useApi } from '../../api/loaded.ts';
import { chainRevision } from '../../live/feed.ts';
import { LoadedView } from '../loaded-view.tsx';
import { Empty } from '../message.tsx';
import { Untrusted } from '../values/untrusted.tsx';

export function AccountNames({ principal }: { principal: string }) {
  const names = useApi('/extended/v1/names/by-owner/{principal}', { principal, limit: 50 }, chainRevision);
  return (
    <LoadedView of={names}>
      {({ results }) =>
        results.length === 0 ? (
          <Empty>This account owns no names.</Empty>
        ) : (
          <ul class="chips">
            {results.map(({ name }) => (
              <li key={name}>
                <a href={`/name/${encodeURIComponent(name)}`}>
                  <Untrusted text={name} />
                </a>
              </li>
            ))}
          </ul>
        )
      }
    </LoadedView>
  );
}
