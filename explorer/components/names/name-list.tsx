import { useState } from 'preact/hooks';
import { ApiError, type Parameters, read } from '../../api/client.ts';
import { useApi } from '../../api/loaded.ts';
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

/** Names in alphabetical order, a page at a time. */
export function NameList({ path, parameters = {}, empty }: Props) {
  const first = useApi(path, { ...parameters, page: 0 });
  const [further, setFurther] = useState<readonly string[][]>([]);
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const more = async () => {
    setState('loading');
    try {
      setFurther([...further, await readPage(path, { ...parameters, page: further.length + 1 })]);
      setState('idle');
    } catch {
      setState('failed');
    }
  };
  return (
    <LoadedView of={first} missing={<Empty>{empty}</Empty>}>
      {names => {
        if (names.length === 0) return <Empty>{empty}</Empty>;
        const last = further.at(-1) ?? names;
        return (
          <>
            <NameChips of={[...names, ...further.flat()]} />
            {last.length >= PAGE && (
              <p class="more">
                <button type="button" onClick={more} disabled={state === 'loading'}>
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
