import { type ReadonlySignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { liveState, reconnections } from '../live/feed.ts';
import { ApiError, type Parameters, type Path, read, urlOf } from './client.ts';
import type { Responses } from './schema.ts';

/**
 * What is known of a response. `ready` with `problem` has data, but the last reload failed. `gone` has data of something
 * that the server no longer knows, for example because a fork removed it.
 */
export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'ready'; data: T; problem?: string }
  | { state: 'gone'; data: T }
  | { state: 'missing'; message: string }
  | { state: 'error'; status: number; message: string };

export type Loading<T> = Loaded<T> & { reload: () => void };

/** A request under way; `again` says that something has changed since it was sent. */
type Request = { url: string | undefined; controller: AbortController; again: boolean };

const missingStatuses = [400, 404];

export function afterFailure<T>(before: Loaded<T>, error: unknown): Loaded<T> {
  const { status, message } = error instanceof ApiError ? error : new ApiError(0, String(error));
  const known = before.state === 'ready' || before.state === 'gone' ? before.data : undefined;
  if (missingStatuses.includes(status)) {
    return known === undefined ? { state: 'missing', message } : { state: 'gone', data: known };
  }
  return known === undefined ? { state: 'error', status, message } : { state: 'ready', data: known, problem: message };
}

/**
 * Reads a path while the component is shown, and again when `revision` changes or a lost connection is there again; until then
 * nothing that is shown is read again. Nothing is read while `path` is undefined. Data stays visible while it is read again.
 * With another URL it does not, unless `subject` is the same as before.
 */
export function useApi<P extends Path>(
  path: P | undefined,
  parameters: Parameters = {},
  revision?: ReadonlySignal<number>,
  subject?: string,
): Loading<Responses[P]> {
  const url = path === undefined ? undefined : urlOf(path, parameters);
  const what = subject ?? url;
  const [{ of, result }, set] = useState<{ of: string | undefined; result: Loaded<Responses[P]> }>({
    of: what,
    result: { state: 'loading' },
  });
  const current = useRef<Request | undefined>(undefined);

  const reload = useRef(() => {});
  reload.current = () => {
    if (path === undefined) return;
    // Changes may come faster than responses: a request that is under way is not given up for the next one.
    const before = current.current;
    if (before && before.url === url) {
      before.again = true;
      return;
    }
    before?.controller.abort();
    const request: Request = { url, controller: new AbortController(), again: false };
    current.current = request;
    const { signal } = request.controller;
    read(path, parameters, signal)
      .then(
        data => !signal.aborted && set({ of: what, result: { state: 'ready', data } }),
        error => {
          if (signal.aborted) return;
          set(before => ({
            of: what,
            result: afterFailure(before.of === what ? before.result : { state: 'loading' }, error),
          }));
        },
      )
      .finally(() => {
        if (current.current !== request) return;
        current.current = undefined;
        if (request.again) reload.current();
      });
  };

  useEffect(() => {
    // The time has moved on: what is shown stays, and is read again with the connection.
    const isShown = of === what && result.state !== 'loading';
    if (!isShown || liveState.peek() !== 'reconnecting') reload.current();
    return () => {
      current.current?.controller.abort();
      current.current = undefined;
    };
  }, [url]);
  const first = useRef(true);
  useSignalEffect(() => {
    void revision?.value;
    void reconnections.value;
    // Without a connection it would fail; all is read again with the next one.
    if (!first.current && liveState.peek() !== 'reconnecting') reload.current();
    first.current = false;
  });

  const shown: Loaded<Responses[P]> = of === what ? result : { state: 'loading' };
  return { ...shown, reload: () => reload.current() };
}
