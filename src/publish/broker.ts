import type { Message } from './messages.ts';

/** The last message of the stream, as its headers tell it. */
export type LastMessage = {
  /** The position of the step that it belongs to. */
  position: string;
  /** The position before that step. */
  after: string;
  /** Its number among the messages of the step, from 1, and how many there are. */
  part: number;
  parts: number;
};

/** Where the stream of the broker ends. */
export type Place = {
  /** Sequence number of the last message that the stream has ever had; 0 for a new stream. */
  sequence: number;
  /** Undefined if no message is left. */
  last: LastMessage | undefined;
};

/** A connection to a broker; all its errors are a `Trouble`. */
export type Broker = {
  /** Reads where the stream ends; creates the stream if it is absent. */
  place(): Promise<Place>;
  /** Stores a message as the next one after a sequence number; rejects if it is not the next one, or `Forgotten`. */
  publish(message: Message, after: number): Promise<void>;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<unknown>;
  close(): Promise<void>;
};

/** Opens a connection. */
export type BrokerOpener = () => Promise<Broker>;
