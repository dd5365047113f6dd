import { expect, test } from 'vitest';
import { renderStx } from '../../src/read/tokens/supply-schema.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { serveChainForFile } from '../support/served-chain.ts';

const chain = testChain({ allocation: 1_000_000n, accounts: 2, coinbase: 500_000n, maturity: 2 });
const blocks = mineLine(chain, chain.genesis, 6, { tenure: 'new', transactions: [] });
const served = serveChainForFile(() => [chain.genesis, ...blocks]);
const { get, ask } = served;

test('the supply grows by matured coinbases and can be read after any block', async () => {
  const now = await get('/extended/v1/stx_supply');
  const first = await get('/extended/v1/stx_supply?height=1');
  expect(now).toMatchObject({ unlocked_percent: '100.00', block_height: 6 });
  expect(Number(now.total_stx)).toBeGreaterThan(Number(first.total_stx));
  expect((Number(now.total_stx) - Number(first.total_stx)) % 0.5).toBe(0);
  expect((await get('/extended/v1/stx_supply?unanchored=true')).block_height).toBe(7);
  expect(await get('/extended/v1/stx_supply?height=999')).toEqual({ ...now, block_height: 999 });
  const plain = await served.app.inject('/extended/v1/stx_supply/total/plain');
  expect(plain.headers['content-type']).toMatch(/^text\/plain/);
  expect(plain.body).toBe(now.total_stx);
});

test('micro-STX are written as STX with six decimals', () => {
  expect(renderStx('0')).toBe('0.000000');
  expect(renderStx('1500000')).toBe('1.500000');
  expect(renderStx('-42')).toBe('-0.000042');
  expect(renderStx('3050005697176238912')).toBe('3050005697176.238912');
});

test('heights that no chain has are refused', async () => {
  for (const height of ['-1', 'abc', '1.5', '99999999999']) {
    expect((await ask(`/extended/v1/stx_supply?height=${height}`)).status).toBe(400);
  }
});
