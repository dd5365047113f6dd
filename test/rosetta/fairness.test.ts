import { createHash } from 'node:crypto';
import { addressNetwork, parseNetwork } from '@cairn-stacks/codec/network';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { mempoolMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { messageText } from '@cairn-stacks/devnet/chain/message-text';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonOf } from '../../src/cache/rendered-items.ts';
import { InterfaceCache } from '../../src/read/contracts/interface-cache.ts';
import { dataRoutes } from '../../src/rosetta/data-routes.ts';
import { mapPaced, Pace } from '../../src/rosetta/pace.ts';
import { isLarge, writePacedJson } from '../../src/rosetta/paced-json.ts';
import { rosettaServer } from '../../src/rosetta/server.ts';
import { messagesOf, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addressAt, transfer } from '../support/mempool.ts';
import { silent } from '../support/rosetta.ts';
import { foldAll } from '../support/service.ts';

const EVENTS = 30_000;
const PENDING = 5_000;
const network = parseNetwork('testnet')!;
const network_identifier = { blockchain: 'stacks', network: addressNetwork(network) };

const chain = testChain({ seed: 5 });
const heavy = chain.mine(chain.genesis, {
  transactions: [{ kind: 'transfer', from: 1, to: addressAt(3), amount: 1n, fee: 11n }],
});

const light = chain.mine(heavy, { transactions: 1 });

/** The block as a node posts it, where one transaction has made STX very often. */
function withManyEvents({ path, body, transactions }: BuiltBlock) {
  const posted = JSON.parse(messageText(body)) as { events: object[] };
  const txid = transactions.at(-1)!.txId;
  for (let event_index = 1; event_index <= EVENTS; event_index++) {
    const stx_mint_event = { recipient: addressAt(10 + (event_index % 50)), amount: String(event_index) };
    posted.events.push({ txid, event_index, committed: true, type: 'stx_mint_event', stx_mint_event });
  }
  return { path, body: JSON.stringify(posted) };
}

let db: TestDatabase;
let app: FastifyInstance;
beforeAll(async () => {
  db = await testDatabase();
  const pending = Array.from({ length: PENDING }, (_, nonce) => transfer({ from: 4, nonce }));
  const burnBlocks = messagesOf(heavy).slice(0, -1);
  const blocks = [...messagesOf(chain.genesis), ...burnBlocks, withManyEvents(heavy), ...messagesOf(light)];
  await foldAll(db, [...blocks, mempoolMessage(pending)]);
  app = Fastify();
  app.decorateRequest('sql', { getter: () => db.sql });
  app.setSerializerCompiler(() => jsonOf);
  const bounds = { ofPart: 2 * EVENTS, ofBlock: 2 * EVENTS };
  const routes = dataRoutes({ network, compat: false, interfaces: new InterfaceCache(), bounds });
  await app.register(rosettaServer({ routes, network, compat: false, bodyLimit: 5_000_000, log: silent }));
});
afterAll(async () => {
  await app.close();
  await db.drop();
});

const postText = (path: string, payload: string) => app.inject({ method: 'POST', url: `/rosetta/v1${path}`, payload });
const post = (path: string, body: object = {}) => postText(path, JSON.stringify({ network_identifier, ...body }));
const heavyBlock = () => post('/block', { block_identifier: { index: heavy.height } });

/** How many small answers came one after the other until the work was done. */
async function answersDuring(work: () => Promise<unknown>): Promise<number> {
  let done = false;
  const finished = work().finally(() => {
    done = true;
  });
  let answers = 0;
  while (!done) {
    const { statusCode } = await post('/block', { block_identifier: { index: light.height } });
    expect(statusCode).toBe(200);
    answers++;
  }
  await finished;
  return answers;
}

test('others are answered while a heavy block and a long mempool are read and a million operations are refused', async () => {
  const [block, mempool] = [await heavyBlock(), await post('/mempool')];
  const { transactions } = block.json().block as { transactions: { operations: object[] }[] };
  expect(Math.max(...transactions.map(({ operations }) => operations.length))).toBeGreaterThan(EVENTS);
  const million = `{"operations":[${'1,'.repeat(999_999)}1]}`;
  expect(mempool.json().transaction_identifiers).toHaveLength(PENDING);
  const answers = await answersDuring(async () => {
    for (let round = 0; round < 3; round++) {
      const heavy = await Promise.all([heavyBlock(), post('/mempool'), postText('/block', million)]);
      expect(heavy.map(answer => answer.statusCode)).toEqual([200, 200, 500]);
    }
  });
  // Each round would let one through if it gave no turn to others.
  expect(answers).toBeGreaterThan(15);
});

test('a large answer has the bytes and the ETag of the same text written at once', async () => {
  const answer = await heavyBlock();
  expect(isLarge(answer.json())).toBe(true);
  expect(JSON.stringify(answer.json())).toBe(answer.body);
  const digest = createHash('sha1').update(answer.body).digest('base64').slice(0, 27);
  expect(answer.headers.etag).toBe(`W/"${Buffer.byteLength(answer.body).toString(16)}-${digest}"`);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('JSON in parts is what JSON.stringify writes', async () => {
  const many = Array.from({ length: 1001 }, (_, i) =>
    i % 3 === 0 ? { i, text: 'ü"\n' } : i % 3 === 1 ? null : undefined,
  );
  for (const value of [{ a: undefined, b: many, c: [many, []], d: {} }, many, { a: 1 }]) {
    const { bytes } = await writePacedJson(value, new Pace());
    expect(bytes.toString()).toBe(JSON.stringify(value));
  }
});

/** How often others had their turn until the work was done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let done = false;
  const count = () => {
    turns++;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => {
    done = true;
  });
  return turns;
}

test('others have their turn while a long list is rendered and written', async () => {
  const list = Array.from({ length: 200_000 }, (_, i) => ({ i, text: `entry ${i}` }));
  expect(await turnsDuring(writePacedJson({ list }, new Pace()))).toBeGreaterThan(3);
  expect(await turnsDuring(mapPaced(list, new Pace(), entry => JSON.stringify(entry)))).toBeGreaterThan(3);
});
