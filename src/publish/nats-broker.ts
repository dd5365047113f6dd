import type { JetStreamClient, JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { positionText } from '../chain/position.ts';
import type { BrokerSetting } from '../config/setting.ts';
import type { Broker, LastMessage, Place } from './broker.ts';
import type { Message } from './messages.ts';
import type { NatsPackages } from './nats-packages.ts';
import { troubleOf } from './nats-trouble.ts';
import { Forgotten, Trouble } from './trouble.ts';

/** The stream, as it is made if it is absent; one that exists keeps its own limits. */
export type StreamSettings = {
  name: string;
  /** What subjects begin with; a dot and the topic follow. */
  prefix: string;
  maxAgeSeconds: number;
  /** Undefined for no limit. */
  maxBytes: number | undefined;
  replicas: number;
};

export type NatsBrokerOptions = {
  packages: NatsPackages;
  address: BrokerSetting;
  stream: StreamSettings;
};

/** Headers of messages, for the publisher that goes on and for consumers that want to see that nothing is missing. */
const headerNames = { position: 'Cairn-Position', after: 'Cairn-After', part: 'Cairn-Part' } as const;

const CONNECT_MS = 5_000;
const REQUEST_MS = 10_000;
const NANOS = 1_000_000_000;

/** A connection to a NATS server; it does not connect again by itself: its user has to ask then where the stream ends. */
export class NatsBroker implements Broker {
  readonly closed: Promise<unknown>;
  readonly #options: NatsBrokerOptions;
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #client: JetStreamClient;

  private constructor(options: NatsBrokerOptions, connection: NatsConnection, manager: JetStreamManager) {
    this.#options = options;
    this.#connection = connection;
    this.#manager = manager;
    this.#client = manager.jetstream();
    this.closed = connection.closed();
  }

  static async open(options: NatsBrokerOptions): Promise<NatsBroker> {
    const { packages, address } = options;
    const { servers, tls, auth } = address;
    try {
      const connection = await packages.transport.connect({
        servers: [...servers],
        name: 'cairn',
        reconnect: false,
        timeout: CONNECT_MS,
        ...(tls && { tls: {} }),
        ...auth,
      });
      try {
        const manager = await packages.jetstream.jetstreamManager(connection, { timeout: REQUEST_MS, checkAPI: false });
        return new NatsBroker(options, connection, manager);
      } catch (error) {
        await connection.close();
        throw error;
      }
    } catch (error) {
      throw troubleOf(error, packages);
    }
  }

  async place(): Promise<Place> {
    const { packages, stream } = this.#options;
    try {
      const sequence = await this.#sequence();
      const last = await this.#manager.streams.getMessage(stream.name, { last_by_subj: `${stream.prefix}.>` });
      return { sequence, last: last ? readHeaders(last.header) : undefined };
    } catch (error) {
      throw troubleOf(error, packages);
    }
  }

  async publish({ topic, id, body, position, after, part, parts }: Message, last: number): Promise<void> {
    const { packages, stream } = this.#options;
    const limit = this.#connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    const headers = packages.transport.headers();
    headers.set(headerNames.position, positionText(position));
    headers.set(headerNames.after, positionText(after));
    headers.set(headerNames.part, `${part}/${parts}`);
    const data = Buffer.from(body);
    // Headers count too; the client adds three of its own.
    const bytes = data.length + 1_000;
    if (bytes > limit)
      throw new Trouble(
        'too_large',
        `a message of ${bytes} bytes is larger than the broker takes: raise its max_payload, which is ${limit}`,
      );
    try {
      const ack = await this.#client.publish(`${stream.prefix}.${topic}`, data, {
        msgID: id,
        headers,
        timeout: REQUEST_MS,
        expect: { streamName: stream.name, lastSequence: last },
      });
      if (ack.duplicate) throw new Forgotten(`the broker has forgotten message ${id}`);
    } catch (error) {
      throw error instanceof Forgotten ? error : troubleOf(error, packages);
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** The last sequence number of the stream, which is made if it is absent. */
  async #sequence(): Promise<number> {
    const { packages, stream } = this.#options;
    const { name, prefix, maxAgeSeconds, maxBytes, replicas } = stream;
    const { streams } = this.#manager;
    try {
      return (await streams.info(name)).state.last_seq;
    } catch (error) {
      if (!isAbsent(error, packages)) throw error;
    }
    const config: Partial<StreamConfig> & { name: string } = {
      name,
      description: 'The journal of Cairn',
      subjects: [`${prefix}.>`],
      max_age: maxAgeSeconds * NANOS,
      num_replicas: replicas,
      ...(maxBytes !== undefined && { max_bytes: maxBytes }),
    };
    return (await streams.add(config)).state.last_seq;
  }
}

function isAbsent(error: unknown, { jetstream }: NatsPackages): boolean {
  const { JetStreamApiError, JetStreamApiCodes } = jetstream;
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}

function readHeaders(headers: MsgHdrs): LastMessage {
  const position = headers.get(headerNames.position);
  const after = headers.get(headerNames.after);
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(headers.get(headerNames.part)) ?? [];
  if (position && after && part && parts) return { position, after, part: Number(part), parts: Number(parts) };
  throw new Trouble('other_writer', 'the last message of the stream is not one of Cairn: remove it from the stream');
}
