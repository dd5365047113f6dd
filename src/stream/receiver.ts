import type { RenderedMessage } from './rendered-message.ts';

/** Receives the messages of one stream. */
export type Receiver = {
  /** Writes a message. False if the next one has to wait until this one is taken, or if the client has gone. */
  write(message: RenderedMessage): boolean;
  /** Resolves when there is room for the next message; false if the client has gone. */
  drained(): Promise<boolean>;
  /** What follows cannot be sent; the stream ends. */
  fail(error: Readonly<Record<string, unknown>>): void;
};

/** Why a stream was ended by the service; the last lines of a stream of events tell it. */
export type StreamEnd = 'slow' | 'stopping' | 'failed';
