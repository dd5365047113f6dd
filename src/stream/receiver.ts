import type { Position } from '../chain/position.ts';
import type { RenderedMessage } from './rendered-message.ts';

/** Receives the messages of one stream. */
export type Receiver = {
  /** Resolves when there is room for the next one, and is false when the client has gone. */
  send(message: RenderedMessage): Promise<boolean>;
  /** The client has everything up to here; messages that its filters left out included. */
  at?(position: Position): void;
  /** What follows cannot be sent; the stream ends. */
  fail(error: Readonly<Record<string, unknown>>): void;
};

/** Why a stream was ended by the service; the last lines of a stream of events tell it. */
export type StreamEnd = 'slow' | 'stopping' | 'failed';
