import { expect, test } from 'vitest';
import { addPredicate } from '../../src/chainhooks/add-predicate.ts';
import { openPattern } from '../../src/chainhooks/pattern.ts';
import { testChain } from '../support/chain.ts';
import { definitionOf, startHosted } from './support/hosted.ts';

const coinbase = { type: 'coinbase' } as const;

test('what cannot be is refused with what to fix', async t => {
  const { ask, client } = await startHosted(t, [testChain().genesis]);
  const good = definitionOf('https://shop.example/', [coinbase]);
  const { uuid } = await client.registerChainhook(good);
  const events = (...filters: object[]) => ({ ...good, filters: { events: filters } });
  const at = (url: string) => ({ ...good, action: { type: 'http_post', url } });
  const wrong: [unknown, string][] = [
    [{}, 'lacks'],
    [[], 'the body'],
    [{ ...good, extra: 1 }, 'unknown fields: extra'],
    [{ ...good, version: 1 }, 'version'],
    [{ ...good, name: 'x'.repeat(201) }, 'name'],
    [{ ...good, network: 'mainnet' }, 'this service indexes testnet'],
    [{ ...good, options: { start_at_block_height: 1 } }, 'unknown fields: start_at_block_height'],
    [{ ...good, options: { expire_after_occurrences: 0 } }, 'options.expire_after_occurrences'],
    [events(), 'filters.events'],
    [events(...Array.from({ length: 51 }, () => coinbase)), 'filters.events'],
    [events({ type: 'print_event', contains: 'x' }), 'filters.events.0.type is "print_event": use one of'],
    [events({ type: 'constructor' }), 'filters.events.0.type'],
    [events(coinbase, { type: 'ft_mint', recipient: 'S' }), 'filters.events.1 has unknown fields: recipient'],
    [events({ type: 'balance_change' }), 'filters.events.0 lacks principal'],
    [events({ type: 'stx_mint', receiver: 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ8' }), 'is not an account'],
    [events({ type: 'tenure_change', cause: 'boredom' }), 'filters.events.0.cause'],
    [at('ftp://shop.example/'), 'only https is sent to'],
    [at('https://10.0.0.1/'), 'not a public address'],
    [at('https://0x7f.1:8/'.replace('0x7f.1', '0xa000001')), 'not a public address'],
    [at('nothing'), 'expected a URL'],
  ];
  for (const [body, words] of wrong) {
    const refused = await ask('POST', '/chainhooks/me', body);
    expect([words, refused.status, refused.body.message]).toEqual([words, 400, expect.stringContaining(words)]);
  }
  const me = `/chainhooks/me/${uuid}`;
  const requests: [string, string, unknown, number][] = [
    ['PATCH', me, { filters: { events: [{ type: 'nothing' }] } }, 400],
    ['PATCH', me, { uuid: 'other' }, 400],
    ['GET', '/chainhooks/me/1', undefined, 400],
    ['GET', '/chainhooks/me?limit=61', undefined, 400],
    ['PATCH', `${me}/enabled`, { enabled: 'perhaps' }, 400],
    ['PATCH', '/chainhooks/me/enabled', { enabled: true }, 400],
    ['PATCH', '/chainhooks/me/enabled', { enabled: true, filters: {} }, 400],
    ['POST', `${me}/evaluate`, {}, 400],
    ['POST', `${me}/evaluate`, { block_height: 1, index_block_hash: '0'.repeat(64) }, 400],
    ['POST', `${me}/evaluate`, { block_height: 99 }, 404],
    ['POST', `${me}/evaluate`, { index_block_hash: '0'.repeat(64) }, 404],
    ['POST', '/chainhooks/me', { name: 'x'.repeat(200_000) }, 413],
  ];
  for (const [method, path, body, status] of requests)
    expect([method, path, (await ask(method, path, body)).status]).toEqual([method, path, status]);
});

const predicateOf = (if_this: object, more: object = {}) => ({
  ...{ uuid: 'shop', name: 'shop', version: 1, chain: 'stacks' },
  networks: {
    testnet: {
      if_this,
      then_that: { http_post: { url: 'https://shop.example/', authorization_header: 'Bearer x' } },
      ...more,
    },
  },
});

test('predicates that cannot be are refused with what to fix', async t => {
  const { admin, network } = await startHosted(t, [testChain().genesis]);
  const contract_identifier = '*';
  const all = { scope: 'block_height', higher_than: 0 };
  const wrong: [unknown, string][] = [
    [{}, 'lacks'],
    [{ ...predicateOf(all), networks: { mainnet: {} } }, 'this service needs testnet or devnet or simnet'],
    [predicateOf({ scope: 'signer_message', after_timestamp: 1 }), 'signer_message is not served'],
    [predicateOf({ scope: 'contract_deployment', implement_trait: 'sip09' }), 'use deployer'],
    [predicateOf({ scope: 'anything' }), 'use one of'],
    [predicateOf({ scope: 'txid', equals: '0x1' }), 'testnet.if_this.equals'],
    [predicateOf({ scope: 'contract_call', contract_identifier: 'x', method: 'y' }), 'x is not a contract'],
    [predicateOf({ scope: 'print_event', contract_identifier, matches_regex: '(' }), 'matches_regex cannot be used'],
    [
      predicateOf({ scope: 'print_event', contract_identifier, matches_regex: '(?=a)' }),
      'matches_regex cannot be used',
    ],
    [predicateOf({ scope: 'print_event', contract_identifier, matches_regex: '(a{30}){30}' }), 'too complex'],
    [predicateOf(all, { start_block: 5, end_block: 4 }), 'end_block 4 is below start_block 5'],
    [predicateOf(all, { blocks: [1], start_block: 4 }), 'blocks cannot be used with'],
    [predicateOf(all, { then_that: { noop: {} } }), 'then_that'],
  ];
  for (const [body, words] of wrong)
    await expect(addPredicate(admin, network, body), words).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(words),
    });
  await addPredicate(admin, network, predicateOf(all));
  await expect(addPredicate(admin, network, predicateOf(all))).rejects.toMatchObject({ status: 409 });
});

test('no pattern of a user stalls the process', () => {
  const began = performance.now();
  const matches = openPattern('^(a+)+(b|a)*(a*)*$');
  expect(matches(`${'a'.repeat(100_000)}!`)).toBe(true);
  expect(matches(`${'a'.repeat(1000)}!`)).toBe(false);
  expect(openPattern('amount u1[0-9]{2}\\b')('(tuple (amount u123))')).toBe(true);
  expect(performance.now() - began).toBeLessThan(10_000);
});
