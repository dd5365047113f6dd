import type { Position } from '../chain/position.ts';
import type { Feed } from './feed.ts';
import type { RenderedMessage } from './rendered-message.ts';
import { messageOf, type View } from './view.ts';

/** Where messages of a reader go. */
export type Outlet = {
  /** Writes a message; resolves when there is room for the next one, and is false when the reader has gone. */
  send(message: RenderedMessage): Promise<boolean>;
};

/** How far the server for reads is, and a callback for each change of it. */
export type StepSource = {
  readonly current: { readonly seq: number; readonly height: number } | undefined;
  watch?(callback: () => void): () => void;
  /** Waits until the tip has a height. */
  reachHeight?(height: number, withinMs: number): Promise<boolean>;
};

export type ReaderOptions = {
  feed: Feed;
  source: StepSource;
  view: View;
  outlet: Outlet;
  signal: AbortSignal;
  /** Called with the position whenever the reader is at the tip. */
  onPosition: (position: Position) => void;
};

/** Sends what follows a position, and then what comes, until the signal aborts or the reader has gone. */
export async function follow(start: Position, options: ReaderOptions): Promise<void> {
  const { feed, source, view, outlet, signal, onPosition } = options;
  const { principal } = view.filter;
  const unfollow = principal === undefined ? undefined : feed.follow(principal);
  try {
    let position = start;
    while (!signal.aborted) {
      const tip = source.current;
      if (tip === undefined) {
        await changed(source, -1, signal);
        continue;
      }
      const { steps, position: next, upTo } = await feed.after(position, view.needs, tip);
      for (const step of steps) {
        const message = messageOf(step, view);
        if (message !== undefined && !(await outlet.send(message))) return;
        if (signal.aborted) return;
      }
      position = next;
      onPosition(position);
      if (upTo !== undefined) await changed(source, upTo, signal);
    }
  } finally {
    unfollow?.();
  }
}

/** Waits until the journal goes on from this number, or is another one. */
export async function changed(source: StepSource, seq: number, signal: AbortSignal): Promise<void> {
  const isNewer = () => (source.current?.seq ?? -1) > seq;
  if (signal.aborted || isNewer()) return;
  await new Promise<void>(resolve => {
    const end = () => {
      unwatch?.();
      signal.removeEventListener('abort', end);
      resolve();
    };
    // A restored database continues at a lower number.
    const unwatch = source.watch?.(() => source.current !== undefined && source.current.seq !== seq && end());
    signal.addEventListener('abort', end, { once: true });
  });
}
