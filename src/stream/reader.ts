import { type Position, positionText } from '../chain/position.ts';
import type { Receiver } from './receiver.ts';
import type { View } from './view.ts';

/** How far the server for reads is, and a callback for each change of it. */
export type StepSource = {
  readonly current: { readonly seq: number; readonly height: number } | undefined;
  watch?(callback: () => void): () => void;
  /** Waits until the tip has a height. */
  reachHeight?(height: number, withinMs: number): Promise<boolean>;
};

/** The transport of a client. */
export type Transport = 'sse' | 'websocket' | 'socket.io';

/** One client that follows the chain, whatever its transport. */
export class Reader {
  readonly transport: Transport;
  readonly to: Receiver;
  view: View;
  /** Those with whom it shares a position; undefined while it is slower than they are. */
  audience: Audience | undefined;
  /** Called at its end, if it filters by a principal. */
  unfollow: (() => void) | undefined;
  ended = false;
  #position: Position;

  constructor(transport: Transport, to: Receiver, view: View, start: Position) {
    this.transport = transport;
    this.to = to;
    this.view = view;
    this.#position = start;
  }

  /** What it was sent. */
  get position(): Position {
    return this.audience?.position ?? this.#position;
  }

  /** Belongs to those who share its position from now on, and their view, so that nothing of its own is kept. */
  join(audience: Audience): void {
    this.audience = audience;
    this.view = audience.view;
    this.#position = audience.position;
    audience.readers.add(this);
  }

  /** Goes on alone. */
  leave(position: Position): void {
    this.audience?.readers.delete(this);
    this.audience = undefined;
    this.#position = position;
  }
}

/** Readers with the same view who have the same: what follows is read and rendered once for all of them. */
export class Audience {
  readonly view: View;
  readonly readers = new Set<Reader>();
  position: Position;
  /** The journal number up to which nothing is missing; undefined if more may be there. */
  upTo: number | undefined;

  constructor(view: View, position: Position) {
    this.view = view;
    this.position = position;
  }

  get key(): string {
    return keyOf(this);
  }
}

/** The same for all who may belong together. */
export const keyOf = ({ view, position }: { view: View; position: Position }) =>
  `${view.key} ${positionText(position)}`;

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
