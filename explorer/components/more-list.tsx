import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Parameters, type Path, read } from '../api/client.ts';
import { type Loading, useApi } from '../api/loaded.ts';
import type { Responses } from '../api/schema.ts';
import { LoadedView } from './loaded-view.tsx';
import { Empty } from './message.tsx';

/** Paths whose responses are pages with `results`. */
export type ListPath = { [P in Path]: Responses[P] extends { results: readonly unknown[] } ? P : never }[Path];
export type ItemOf<P extends ListPath> = Responses[P]['results'][number];

type Props<P extends ListPath> = {
  path: P;
  parameters?: Parameters;
  revision?: ReadonlySignal<number>;
  /** The parameters of the page after a response; undefined after the last page. */
  next: (response: Responses[P]) => Parameters | undefined;
  empty: string;
  children: (items: readonly ItemOf<P>[], first: Responses[P]) => ComponentChildren;
};

/** A list that grows by a page when its button is pressed. The first page follows the chain until then. */
export function MoreList<P extends ListPath>({ path, parameters = {}, revision, next, empty, children }: Props<P>) {
  const [further, setFurther] = useState<Further<P> | undefined>();
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const live = useApi(path, parameters, revision);
  const busy = useRef(false);
  // Once further pages are shown, the first stays as it was: items must not repeat or be skipped.
  const first: Loading<Responses[P]> = further ? { state: 'ready', data: further.base, reload: live.reload } : live;

  const more = async (data: Responses[P], parametersOfNext: Parameters) => {
    if (busy.current) return;
    busy.current = true;
    setState('loading');
    try {
      const response = await read(path, { ...parameters, ...parametersOfNext });
      setFurther({ base: data, items: [...(further?.items ?? []), ...response.results], next: next(response) });
      setState('idle');
    } catch {
      setState('failed');
    } finally {
      busy.current = false;
    }
  };
  return (
    <LoadedView of={first} missing={<Empty>{empty}</Empty>}>
      {data => {
        const following = further ? further.next : next(data);
        const all: readonly ItemOf<P>[] = further ? [...data.results, ...further.items] : data.results;
        // A page of a filtered list may be empty and still be followed by others.
        if (all.length === 0 && !following) return <Empty>{empty}</Empty>;
        return (
          <>
            {all.length > 0 && children(all, data)}
            {following && (
              <p class="more">
                <button type="button" onClick={() => more(data, following)} aria-disabled={state === 'loading'}>
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

type Further<P extends ListPath> = { items: readonly ItemOf<P>[]; next: Parameters | undefined; base: Responses[P] };

/** The next page of lists with cursors. */
export const nextByCursor = ({ cursor: { next } }: { cursor: { next: string | null } }): Parameters | undefined =>
  next === null ? undefined : { cursor: next };

type OffsetPage = { offset: number; total: number | null; results: readonly unknown[] };

/** The next page of lists with offsets; one with filters has no total, and goes on by its cursor. */
export function nextByOffset({ offset, total, results }: OffsetPage): Parameters | undefined {
  const after = offset + results.length;
  return total !== null && results.length > 0 && after < total ? { offset: after } : undefined;
}
