import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConsumerMessages, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { isInstalled } from '../../support/installed.ts';
import { until } from '../../support/service.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

/** The server of NATS; tests with it are skipped where it is absent. */
export const natsServer = process.env.CAIRN_TEST_NATS ?? 'nats-server';
export const hasNats = isInstalled(natsServer);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connectSocket(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

export type StoredMessage = {
  sequence: number;
  subject: string;
  id: string;
  position: string;
  after: string;
  part: string;
  body: Body;
};

export type Body = {
  type: 'apply' | 'rollback' | 'mempool';
  position: string;
  block?: { height: number; index_block_hash: string };
  from?: { height: number };
  to?: { height: number };
  removed?: string[];
  more?: boolean;
  transactions?: { tx_id: string }[];
  transfers?: { tx_id: string; amount: string }[];
};

const storedMessage = (message: JsMsg): StoredMessage => ({
  sequence: message.seq,
  subject: message.subject,
  id: message.headers?.get('Nats-Msg-Id') ?? '',
  position: message.headers?.get('Cairn-Position') ?? '',
  after: message.headers?.get('Cairn-After') ?? '',
  part: message.headers?.get('Cairn-Part') ?? '',
  body: message.json<Body>(),
});

/** A server with a folder and a port that stay the same when it is killed and started again. */
export async function startNats(t: Ending, options: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-nats-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    const started = spawn(natsServer, ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', String(port), ...options], {
      stdio: 'ignore',
    });
    child = started;
    await until(() => accepts(port));
  };
  const kill = async () => {
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    child = undefined;
    await exited;
  };
  await start();
  t.onTestFinished(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  /** Does something with a connection of its own. */
  const withConnection = async <T>(work: (connection: NatsConnection) => Promise<T>, auth: object = {}): Promise<T> => {
    const connection = await connect({ servers: `127.0.0.1:${port}`, ...auth });
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  };
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    start,
    kill,
    withConnection,
    manage: <T>(work: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>, auth: object = {}) =>
      withConnection(async connection => await work(await jetstreamManager(connection)), auth),
    /** All messages of the stream, in its order. */
    messages: (auth: object = {}, stream = 'CAIRN') =>
      withConnection(async connection => {
        const manager = await jetstreamManager(connection);
        const found = await manager.streams.info(stream).catch(() => undefined);
        if (!found || found.state.messages === 0) return [];
        const consumer = await jetstream(connection).consumers.get(stream);
        const iterator: ConsumerMessages = await consumer.fetch({ max_messages: found.state.messages, expires: 5_000 });
        const messages: StoredMessage[] = [];
        for await (const message of iterator) messages.push(storedMessage(message));
        return messages;
      }, auth),
  };
}

export type Nats = Awaited<ReturnType<typeof startNats>>;
