import { useState } from 'preact/hooks';
import { ApiError, type Parameters, read } from '../../api/client.ts';
import { type Loading, useApi } from '../../api/loaded.ts';
import { chainRevision } from '../../live/feed.ts';
import { LoadedView } from '../loaded-view.tsx';
import { Empty } from '../message.tsx';
import { NameChips } from './name-chips.tsx';

/** Names of a page of the API. */
const PAGE = 100;

type Props = {
  path: '/v1/names/' | '/v1/namespaces/{tld}/names';
  parameters?: Parameters;
  empty: string;
};

/** Names in alphabetical order, a page at a time. The first page follows the chain until another one is shown. */
export function NameList({ path, parameters = {}, empty }: Props) {
  const live = useApi(path, { ...parameters, page: 0 }, chainRevision);
  const [pages, setPages] = useState<readonly string[][]>([]);
  // Once further pages are shown, the first stays as it was: names must not repeat or be skipped.
  const first: Loading<string[]> = pages[0] ? { state: 'ready', data: pages[0], reload: live.reload } : live;
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const more = async (shown: readonly string[][]) => {
    if (state === 'loading') return;
    setState('loading');
    try {
      setPages([...shown, await readPage(path, { ...parameters, page: shown.length })]);
      setState('idle');
    } catch {
      setState('failed');
    }
  };
  return (
    <LoadedView of={first} missing={<Empty>{empty}</Empty>}>
      {names => {
        if (names.length === 0) return <Empty>{empty}</Empty>;
        const shown = pages.length > 0 ? pages : [names];
        return (
          <>
            <NameChips of={shown.flat()} />
            {shown.at(-1)!.length >= PAGE && (
              <p class="more">
                <button type="button" onClick={() => more(shown)} aria-disabled={state === 'loading'}>
                  {state === 'loading' ? 'Loading…' : 'Show more'}
                </button>
                {state === 'failed' && <span role="alert"> The next page could not be loaded.</span>}
              </p>
            )}
          </>
        );
      }}
    </LoadedView>
  );
}

/** A page of names; the API rejects a page behind the last one. */
async function readPage(path: Props['path'], parameters: Parameters): Promise<string[]> {
  try {
    return await read(path, parameters);
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) return [];
    throw error;
  }
}
