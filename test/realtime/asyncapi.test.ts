import { readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { Block } from '../../src/read/blocks/block-schema.ts';
import { StxBalance } from '../../src/read/principals/balance-schema.ts';
import { Transaction } from '../../src/read/transactions/transaction-schema.ts';
import { AddressTransaction, printAsyncApi } from '../../src/realtime/asyncapi.ts';
import { testChain } from '../support/chain.ts';
import { addressOf } from '../support/served-chain.ts';
import { until } from '../support/service.ts';
import { openClient, startLive } from './support.ts';

test('the document of the messages is up to date', () => {
  const file = new URL('../../docs/asyncapi.json', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(printAsyncApi());
});

test('messages are what the document says', async t => {
  const chain = testChain();
  const bob = addressOf(1);
  const first = chain.mine(chain.genesis, { transactions: [] });
  const second = chain.mine(first, { transactions: [{ kind: 'transfer', from: 0, to: bob, amount: 5n }] });
  const live = await startLive(t);
  await live.post(chain.genesis, first);
  await until(async () => live.tip.current?.height === 1);
  const client = await openClient(t, live.port);
  await client.subscribe({ event: 'block' });
  await client.subscribe({ event: 'tx_update', tx_id: second.transactions.at(-1)!.txId });
  for (const event of ['address_tx_update', 'address_balance_update']) await client.subscribe({ event, address: bob });
  await live.post(second);
  await until(async () => client.told('address_balance_update').length === 1);
  for (const [schema, method] of [
    [Block, 'block'],
    [Transaction, 'tx_update'],
    [AddressTransaction, 'address_tx_update'],
    [StxBalance, 'address_balance_update'],
  ] as const) {
    expect([...Value.Errors(schema, client.told(method)[0])]).toEqual([]);
  }
});
