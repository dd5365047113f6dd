import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseNetwork } from '@cairn-stacks/codec/network';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { type ChainhookDefinition, ChainhooksClient } from '@hirosystems/chainhooks-client';
import { issueKey } from '../../../src/http/keys/issue-key.ts';
import { startApiOn } from '../../support/api.ts';
import { startWorld } from '../../webhooks/support/world.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

const unlimited = { per_second: null, burst: null, max_open: null };
export const adminToken = 'a token of the operator';
const network = parseNetwork('testnet')!;

/** A service with the routes of the hosted one, and the official client of an owner. */
export async function startHosted(t: Ending, blocks: readonly BuiltBlock[]) {
  const world = await startWorld(t, blocks);
  const { sql, keys, allow } = world.admin;
  const chainhooks = { admin: { sql, keys, allow, network }, adminToken };
  const { app } = await startApiOn(t, sql, { current: undefined }, { chainhooks });
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  const clientOf = (apiKey?: string) =>
    new ChainhooksClient({ baseUrl: `${baseUrl}/any/path`, ...(apiKey && { apiKey }) });
  const keyOf = async (name: string, hooks = true) => (await issueKey(sql, name, unlimited, hooks))!;
  const key = await keyOf('owner');
  const ask = async (method: string, path: string, body?: unknown, apiKey = key) => {
    const payload = body === undefined ? {} : { payload: body as object };
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers: { 'x-api-key': apiKey },
      ...payload,
    });
    return { status: response.statusCode, body: response.body === '' ? undefined : response.json() };
  };
  return { ...world, baseUrl, client: clientOf(key), key, clientOf, keyOf, ask, network };
}

export type Call = { headers: IncomingHttpHeaders; body: Record<string, never> & { [field: string]: unknown } };

/** A receiver of chainhooks with everything that reached it. */
export async function startTarget(t: Ending, answer: () => number = () => 200) {
  const calls: { headers: IncomingHttpHeaders; text: string }[] = [];
  const target = { answer };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    calls.push({ headers: request.headers, text: Buffer.concat(chunks).toString() });
    response.writeHead(target.answer()).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  return Object.assign(target, { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/payload` });
}

/** A definition for this network that is enabled at once. */
export const definitionOf = (
  url: string,
  events: ChainhookDefinition['filters']['events'],
  options: ChainhookDefinition['options'] = {},
): ChainhookDefinition => ({
  ...{ name: 'test', version: '1', chain: 'stacks', network: 'testnet', filters: { events } },
  ...{ options: { enable_on_registration: true, ...options }, action: { type: 'http_post', url } },
});
