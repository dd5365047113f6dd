import { useApi } from '../../api/loaded.ts';
import { chainRevision } from '../../live/feed.ts';
import { LoadedView } from '../loaded-view.tsx';
import { Empty } from '../message.tsx';
import { NameChips } from '../name-chips.tsx';

export function AccountNames({ principal }: { principal: string }) {
  const names = useApi('/extended/v1/names/by-owner/{principal}', { principal, limit: 50 }, chainRevision);
  return (
    <LoadedView of={names}>
      {({ results }) =>
        results.length === 0 ? (
          <Empty>This account owns no names.</Empty>
        ) : (
          <NameChips of={results.map(({ name }) => name)} />
        )
      }
    </LoadedView>
  );
}
