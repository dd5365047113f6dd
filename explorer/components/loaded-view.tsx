import type { ComponentChildren } from 'preact';
import type { Loading } from '../api/loaded.ts';
import { liveState } from '../live/feed.ts';
import { Failure, Notice, Pending } from './message.tsx';

type Props<T> = {
  of: Loading<T>;
  children: (data: T) => ComponentChildren;
  /** What to show when the server does not know it; by default its message. */
  missing?: ComponentChildren;
  /** What to say when it was known a moment ago. */
  gone?: ComponentChildren;
};

/** Shows data, or the state that it is in: loading, missing, failed, gone. */
export function LoadedView<T>({ of, children, missing, gone }: Props<T>) {
  switch (of.state) {
    case 'loading':
      return <Pending />;
    case 'error':
      return <Failure message={of.message} retry={of.reload} />;
    case 'missing':
      return <>{missing ?? <p class="empty">{of.message}</p>}</>;
    case 'gone':
      return (
        <>
          <Notice kind="warn">
            {gone ?? 'The server no longer knows this: a fork may have removed it. Below is what was known.'}
          </Notice>
          {children(of.data)}
        </>
      );
    case 'ready':
      return (
        <>
          {/* That the connection is lost is said once, in the header; everything is read again when it is back. */}
          {of.problem && liveState.value !== 'reconnecting' && <Notice kind="warn">Not updated: {of.problem}</Notice>}
          {children(of.data)}
        </>
      );
  }
}
