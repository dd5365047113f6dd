import { chainRevision } from '../../live/feed.ts';
import { Empty } from '../message.tsx';
import { MoreList } from '../more-list.tsx';
import { NameChips } from './name-chips.tsx';

type Props = {
  principal: string;
  /** A name that is left out, because the page is about it. */
  except?: string;
  empty: string;
};

/** The names of an account. */
export function OwnedNames({ principal, except, empty }: Props) {
  return (
    <MoreList
      path="/extended/v1/names/by-owner/{principal}"
      parameters={{ principal, limit: 50 }}
      revision={chainRevision}
      next={({ next_cursor }) => (next_cursor === null ? undefined : { cursor: next_cursor })}
      empty={empty}
    >
      {owned => {
        const names = owned.map(({ name }) => name).filter(name => name !== except);
        return names.length === 0 ? <Empty>{empty}</Empty> : <NameChips of={names} />;
      }}
    </MoreList>
  );
}
