import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { PublicError } from '../errors.ts';
import type { Reader, Transport } from './reader.ts';
import type { Receiver } from './receiver.ts';
import { AfterParam, FromHeightParam, refuseUnknown, viewOf, viewQuery } from './stream-params.ts';
import type { StreamStart, Streams } from './streams.ts';
import type { View } from './view.ts';

const Request = Type.Object({ ...viewQuery, after: AfterParam, from_height: FromHeightParam });
const request = Compile(Request);

export type SocketStreamOptions = {
  streams: Streams;
  transport: Exclude<Transport, 'sse'>;
  to: Receiver;
};

/** The one stream that a WebSocket or Socket.IO connection may follow. */
export class SocketStream {
  readonly #options: SocketStreamOptions;
  /** The stream that was begun last, and its reader as soon as its position is known. */
  #following: { reader?: Reader } | undefined;

  constructor(options: SocketStreamOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#following !== undefined;
  }

  /** Begins with what a client asked for, in place of an earlier stream. Throws what is wrong with the parameters. */
  begin(params: unknown): void {
    const { start, view } = readRequest(params);
    const { streams } = this.#options;
    this.end();
    streams.admitReader();
    const following = {};
    this.#following = following;
    void this.#begin(start, view, following);
  }

  end(): void {
    const reader = this.#following?.reader;
    if (reader) this.#options.streams.end(reader);
    this.#following = undefined;
  }

  async #begin(start: StreamStart, view: View, following: { reader?: Reader }): Promise<void> {
    const { streams, transport, to } = this.#options;
    const fail = (error: Readonly<Record<string, unknown>>) => {
      if (this.#following !== following) return;
      this.#following = undefined;
      to.fail(error);
    };
    try {
      const position = await streams.start(start);
      if (this.#following !== following) return;
      following.reader = streams.follow(transport, { ...to, fail }, view, position);
    } catch (error) {
      // Without the database the client connects again, as after any loss.
      fail(error instanceof PublicError ? error.body : new PublicError(503, 'The stream cannot be read now').body);
    }
  }
}

/** The parameters of a subscription; lists may also be texts with commas, as in a URL. */
function readRequest(params: unknown): { start: StreamStart; view: View } {
  const given = typeof params === 'object' && params !== null ? { ...(params as Record<string, unknown>) } : {};
  for (const name of ['topics', 'event_type'])
    if (typeof given[name] === 'string') given[name] = given[name].split(',');
  refuseUnknown(given, Request.properties);
  if (!request.Check(given)) {
    const [first] = request.Errors(given);
    throw new PublicError(400, `${first?.instancePath.slice(1) || 'params'} ${first?.message ?? 'is wrong'}`);
  }
  const query = given as Static<typeof Request>;
  const { after, from_height } = query;
  return { start: { after, from_height }, view: viewOf(query) };
}
