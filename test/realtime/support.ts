import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import WebSocket from 'ws';
import { TipCache } from '../../src/cache/tip-cache.ts';
import { connect } from '../../src/db/client.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics.ts';
import { type RealtimeLimits, startRealtime } from '../../src/realtime/realtime.ts';
import { messagesOf } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { append, folded, positionOf, startFold, until } from '../support/service.ts';

export type Ending = { onTestFinished(work: () => Promise<void>): void };

const log = createLog({ level: 'silent', format: 'json' });

const usual: RealtimeLimits = {
  maxConnections: 200,
  maxSubscriptions: 100,
  maxMessage: 100_000,
  maxBuffered: 1_000_000,
  maxBufferedTotal: 100_000_000,
  maxPerAddress: 100,
  // Where a client is paused, nothing else than what the test is about may close it, however long a busy machine takes.
  pingMs: 600_000,
  idleMs: 600_000,
};

/** Realtime on a port of its own, fed by a fold on a database of its own. */
export async function startLive(
  t: Ending,
  limits: Partial<RealtimeLimits> = {},
  options: Parameters<typeof startFold>[1] = {},
) {
  const database = await testDatabase(t);
  const sql = connect(database.url, { max: 4, name: 'cairn api', readOnly: true, statementTimeoutMs: 120_000 });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  const tip = new TipCache({ sql, primary: database.sql, log });
  await tip.start();
  t.onTestFinished(() => tip.stop());
  const served = await serve(t, limits, { sql, tip });
  const fold = startFold(database, options);
  t.onTestFinished(() => fold.stop());
  /** Posts messages and waits until they are folded. */
  const post = async (...messages: (Message | BuiltBlock | { path: string; body: string })[]) => {
    const all = messages.flatMap(message => ('burnBlocks' in message ? messagesOf(message) : [message]));
    await folded(database.sql, await append(database, all));
  };
  /** Waits until every step that was folded is told. */
  const announced = async () => {
    const { journal_seq: seq } = await positionOf(database.sql);
    const step = async () => (await served.metrics.realtimePosition.get()).values[0]?.value ?? 0;
    await until(async () => (await step()) >= Number(seq));
  };
  return { ...served, database, post, announced, tip };
}

/** Realtime without steps to tell of, for what connections alone do. */
export async function startIdle(
  t: Ending,
  limits: Partial<RealtimeLimits> = {},
  clientOf?: Parameters<typeof startRealtime>[0]['clientOf'],
  refusal?: Parameters<typeof startRealtime>[0]['refusal'],
) {
  // Nothing listens there; the driver connects only when it is asked something.
  const sql = connect('postgres://nobody@127.0.0.1:1/none', { max: 1, name: 'none' });
  const tip = { current: undefined, watch: () => () => {} };
  return await serve(t, limits, { sql, tip, ...(clientOf && { clientOf }), ...(refusal && { refusal }) });
}

async function serve(
  t: Ending,
  limits: Partial<RealtimeLimits>,
  source: Pick<Parameters<typeof startRealtime>[0], 'sql' | 'tip' | 'clientOf' | 'refusal'>,
) {
  const server = createServer((_request, response) => response.end('other')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const metrics = createMetrics();
  const realtime = startRealtime({
    server,
    ...source,
    limits: { ...usual, ...limits },
    heightWaitMs: 240_000,
    log,
    metrics,
  });
  t.onTestFinished(async () => {
    await realtime.stop(500);
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // A TCP server that listens has this form of address.
  return { port, server, realtime, metrics };
}

// What a message carries depends on its topic; tests look at what they know is there.
// biome-ignore lint/suspicious/noExplicitAny: the shapes are checked by what the tests expect
export type Json = any;

/** A client that keeps what it gets. */
export async function openClient(t: Ending, port: number, options: WebSocket.ClientOptions = {}) {
  const ws = new WebSocket(`ws://127.0.0.1:${port}/extended/v1/ws`, options);
  t.onTestFinished(async () => ws.terminate());
  const received: Json[] = [];
  ws.on('message', data => received.push(JSON.parse(data.toString())));
  await once(ws, 'open');
  let id = 0;
  /** What was told under a method. */
  const told = (method: string): Json[] => received.filter(m => m.method === method).map(m => m.params);
  const ask = async (method: string, params: unknown): Promise<Json> => {
    id++;
    const mine = id;
    ws.send(JSON.stringify({ jsonrpc: '2.0', id: mine, method, params }));
    return await until(async () => received.find(m => m.id === mine));
  };
  const subscribe = async (params: object) => {
    const { error } = await ask('subscribe', params);
    if (error) throw new Error(JSON.stringify(error));
  };
  return { ws, received, told, ask, subscribe };
}

/** Sends a text and waits for the next answer. */
export async function exchange(client: { ws: WebSocket; received: Json[] }, text: string | Buffer): Promise<Json> {
  const before = client.received.length;
  client.ws.send(text);
  return await until(async () => client.received[before]);
}
