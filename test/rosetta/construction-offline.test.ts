import { parseNetwork } from '@cairn-stacks/codec/network';
import { expect, test } from 'vitest';
import { buildOfflineApi, createOfflineApp } from '../../src/app/rosetta-offline.ts';
import { readConfig } from '../../src/config/config.ts';
import { UsageError } from '../../src/errors.ts';
import { askerOf, good, signerNamed, signPayload, silent, transferOf } from '../support/rosetta.ts';

const network = parseNetwork('mainnet')!;
const { config } = readConfig({ CAIRN_ROLE: 'rosetta-offline', CAIRN_NETWORK: 'mainnet', CAIRN_API_PORT: '0' });
const app = buildOfflineApi(config, network, silent);
const ask = askerOf(app, network);

test('offline, a transaction is made from operations to hash', async () => {
  expect(await good(ask('/network/list'))).toEqual({
    network_identifiers: [{ blockchain: 'stacks', network: 'mainnet' }],
  });
  expect(await good(ask('/network/options'))).toHaveProperty('allow.operation_types');
  const signer = signerNamed('cold', network);
  const derived = await good(ask('/construction/derive', { public_key: signer.public_key }));
  expect(derived).toEqual({ account_identifier: { address: signer.address } });
  const operations = transferOf(signer.address, signerNamed('hot', network).address, 5_000_000, 200);
  const { options } = await good(ask('/construction/preprocess', { operations }));
  expect(options).toMatchObject({ size: 180, sender_address: signer.address });
  const { unsigned_transaction, payloads } = await good(
    ask('/construction/payloads', {
      operations,
      metadata: { account_sequence: 4 },
      public_keys: [signer.public_key],
    }),
  );
  const signatures = (payloads as { hex_bytes: string }[]).map(payload => signPayload(payload, signer));
  const { signed_transaction } = await good(ask('/construction/combine', { unsigned_transaction, signatures }));
  const parsed = await good(ask('/construction/parse', { signed: true, transaction: signed_transaction }));
  expect(parsed.account_identifier_signers).toEqual([{ address: signer.address }]);
  const { transaction_identifier } = await good(ask('/construction/hash', { signed_transaction }));
  expect(transaction_identifier).toEqual({ hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
});

test('offline, stacking is prepared too', async () => {
  const { address } = signerNamed('cold', network);
  const operation = {
    operation_identifier: { index: 0 },
    type: 'stack_stx',
    account: { address },
    amount: { value: '-5', currency: { symbol: 'STX', decimals: 6 } },
    metadata: { number_of_cycles: 2, pox_addr: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', signer_key: '02'.repeat(33) },
  };
  const { options } = await good(ask('/construction/preprocess', { operations: [operation] }));
  expect(options).toMatchObject({ type: 'stack_stx', size: 405 });
});

test.each([
  '/network/status',
  '/account/balance',
  '/block',
  '/block/transaction',
  '/mempool',
  '/mempool/transaction',
  '/construction/metadata',
  '/construction/submit',
  '/call',
  '/events/blocks',
  '/search/transactions',
])('offline, %s says that it is offline', async path => {
  const { status, body } = await ask(path, { anything: true });
  expect(status).toBe(500);
  expect(body).toMatchObject({ code: 612, retriable: false });
  expect(body).toHaveProperty('details.message', expect.stringContaining('offline mode'));
});

test('the offline app opens without a database, and closes', async t => {
  const offline = createOfflineApp(config, silent);
  t.onTestFinished(() => offline.stop());
  const { addresses } = await offline.start();
  expect(addresses).toEqual({ api: expect.any(String) });
  expect((await fetch(`${addresses.api}/healthz`)).status).toBe(200);
  const answer = await fetch(`${addresses.api}/rosetta/v1/network/list`, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-api-version')).toBeTruthy();
  expect((await fetch(`${addresses.api}/extended`)).status).toBe(404);
  await offline.stop();
  await expect(fetch(`${addresses.api}/healthz`)).rejects.toThrow();
});

test('the offline app must be told which chain it is for', async () => {
  const unknown = readConfig({ STACKS_API_MODE: 'offline' }).config;
  await expect(createOfflineApp(unknown, silent).start()).rejects.toThrow(UsageError);
});
