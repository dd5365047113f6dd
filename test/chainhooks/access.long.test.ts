import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChainhooksClient } from '@hirosystems/chainhooks-client';
import { expect, test, vi } from 'vitest';
import { runCli } from '../../src/commands/cli.ts';
import { testDatabase } from '../support/database.ts';
import { startService } from '../support/running-service.ts';
import { StubNode } from '../support/stub-node.ts';
import { definitionOf } from './support/hosted.ts';

test('keys with hooks and the admin token open the routes in every process, whatever CAIRN_API_KEYS is', async t => {
  const { url } = await testDatabase(t);
  const node = new StubNode();
  await node.start();
  t.onTestFinished(() => node.stop());
  const env = { DATABASE_URL: url, CAIRN_WEBHOOK_KEY: '11'.repeat(32) };
  const shared = {
    ...{ ...env, CAIRN_NETWORK: 'testnet', CAIRN_DEVNET: 'false', CAIRN_NODES: node.url },
    CAIRN_ADMIN_TOKEN: 'a-token-of-the-operator',
  };
  const sending = await startService(t, shared);
  const { CAIRN_WEBHOOK_KEY: _key, ...keyless } = shared;
  const serving = await startService(t, { ...shared, CAIRN_ROLE: 'api', CAIRN_API_KEYS: 'required' });
  const blind = await startService(t, { ...keyless, CAIRN_ROLE: 'api' });

  const cairn = async (...args: string[]) => {
    let out = '';
    const write = (text: string | Uint8Array) => {
      out += String(text);
      return true;
    };
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation(write),
      vi.spyOn(process.stderr, 'write').mockImplementation(() => true),
    ];
    try {
      expect(await runCli(args, env)).toBe(0);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    return out.trim();
  };
  const apiKey = await cairn('keys', 'add', 'shop', '--hooks');
  expect(await cairn('keys', 'list', '--json')).toContain('"hooks":true');
  const clientOf = (service: typeof sending, key: string) =>
    new ChainhooksClient({ baseUrl: String(service.addresses.api), apiKey: key });
  const definition = definitionOf('https://shop.example/', [{ type: 'coinbase' }]);
  const { uuid } = await clientOf(sending, apiKey).registerChainhook(definition);
  await vi.waitFor(
    async () => expect(await clientOf(serving, apiKey).getChainhook(uuid)).toMatchObject({ uuid }),
    10_000,
  );
  expect(await clientOf(serving, apiKey).registerChainhook(definition)).toMatchObject({ definition });
  for (const service of [sending, serving])
    expect(await clientOf(service, 'a-token-of-the-operator').getChainhooks()).toMatchObject({ total: 0 });
  // Elsewhere the admin token is no key.
  const headers = { 'x-api-key': 'a-token-of-the-operator' };
  expect((await fetch(`${serving.addresses.api}/extended`, { headers })).status).toBe(401);
  await expect(clientOf(blind, apiKey).registerChainhook(definition)).rejects.toMatchObject({ status: 503 });

  const folder = await mkdtemp(join(tmpdir(), 'cairn-predicate-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'predicate.json');
  const then_that = { http_post: { url: 'https://shop.example/', authorization_header: 'Bearer x' } };
  const if_this = { scope: 'contract_deployment', deployer: '*' };
  const predicate = {
    uuid: 'mine',
    name: 'mine',
    version: 1,
    chain: 'stacks',
    networks: { testnet: { if_this, then_that } },
  };
  await writeFile(file, JSON.stringify(predicate));
  expect(await cairn('webhooks', 'add', '--chainhook', file)).toMatch(/^mine {2}active /);
  expect(JSON.parse(await cairn('webhooks', 'show', 'mine'))).toMatchObject({ payload: 'chainhook-1' });
  // The public status leaves out what belongs to owners of keys.
  const status = await (await fetch(`${sending.addresses.api}/extended/v1/status/webhooks`)).json();
  expect((status as { webhooks: { name: string }[] }).webhooks.map(({ name }) => name)).toEqual(['mine']);
  const admin = `${sending.addresses.metrics!.replace('/metrics', '')}/admin/webhooks`;
  const body = JSON.stringify({ chainhook: { ...predicate, uuid: 'other' } });
  const authorization = { authorization: 'Bearer a-token-of-the-operator' };
  expect((await fetch(admin, { method: 'POST', body, headers: authorization })).status).toBe(201);
});
