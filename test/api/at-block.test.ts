import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { expect, test } from 'vitest';
import { assetOf } from '../../src/read/tokens/asset-params.ts';
import type { NftCursor } from '../../src/read/tokens/nft-positions-queries.ts';
import { listPastHolders, type PastHolder } from '../../src/read/tokens/past-holders-queries.ts';
import { listPastNfts } from '../../src/read/tokens/past-nfts-queries.ts';
import { messagesOf, testChain } from '../support/chain.ts';
import { addressOf, serveChain } from '../support/served-chain.ts';
import { foldAll, until } from '../support/service.ts';

const [alice, bob, carol] = [0, 1, 2].map(addressOf) as [string, string, string];
const contract = `${alice}.tokens`;
const token = `${contract}::coin`;
const item = `${contract}::item`;

/** What the chain is asked for; without pending transactions all of it follows from the blocks. */
const urls = [
  ...[alice, bob, carol, contract, addressOf(9)].flatMap(principal => [
    `/extended/v2/addresses/${principal}/balances/stx`,
    `/extended/v2/addresses/${principal}/balances/ft`,
    `/extended/v2/addresses/${principal}/balances/ft/stx`,
    `/extended/v2/addresses/${principal}/balances/ft/${token}`,
    `/extended/v3/principals/${principal}/balances/stx`,
    `/extended/v3/principals/${principal}/balances/ft`,
    `/extended/v3/principals/${principal}/balances/ft/${token}`,
    `/extended/v3/principals/${principal}/balances/nft`,
  ]),
  ...[alice, bob, carol].flatMap(principal => [
    `/extended/v1/address/${principal}/nonces`,
    `/extended/v3/principals/${principal}/nonces`,
    `/extended/v1/address/${principal}/assets`,
  ]),
  '/extended/v1/stx_supply',
  '/extended/v1/stx_supply/legacy_format',
  '/extended/v3/tokens/stx/supply',
  `/extended/v3/tokens/ft/${token}/supply`,
  `/extended/v2/smart-contracts/status?contract_id=${contract}`,
  '/v1/names/nobody.btc',
];

/** Lists that have another order and other cursors at a past block. */
const holderUrls = [
  '/extended/v3/tokens/stx/holders',
  `/extended/v3/tokens/ft/${token}/holders`,
  `/extended/v1/tokens/nft/${encodeURIComponent(item)}/holders`,
];
type Holders = { total: number; results: { principal: string }[] };
const sorted = ({ total, results }: Holders) => ({
  total,
  results: [...results].sort((a, b) => (a.principal < b.principal ? -1 : 1)),
});

const at = (url: string, block: string | number) => `${url}${url.includes('?') ? '&' : '?'}at_block=${block}`;

test('the state at a past block is what the tip showed when the block was the tip, also after a fork', async t => {
  const chain = testChain({ allocation: 1_000_000n, accounts: 3 });
  const call = { kind: 'call', from: 0, contract } as const;
  const one = chain.mine(chain.genesis, {
    transactions: [{ kind: 'transfer', from: 0, to: bob, amount: 100n, fee: 7n }],
  });
  const two = chain.mine(one, {
    transactions: [
      { kind: 'deploy', from: 0, name: 'tokens', fee: 1n },
      { kind: 'call', from: 0, contract, call: { name: 'mint', amount: 50n, to: alice }, fee: 1n },
      ...[bob, bob, carol, alice].map((to, i) => ({ ...call, call: { name: 'mint-item', item: i + 1, to } }) as const),
    ],
  });
  const lost = chain.mine(two, { transactions: [{ kind: 'transfer', from: 1, to: carol, amount: 9n, fee: 2n }] });
  const three = chain.mine(two, { transactions: [{ kind: 'transfer', from: 2, to: alice, amount: 3n, fee: 2n }] });
  const four = chain.mine(three, {
    transactions: [
      { kind: 'call', from: 0, contract, call: { name: 'transfer', amount: 20n, to: bob }, fee: 1n },
      { kind: 'stack', from: 1, amount: 400n, cycles: 1, fee: 2n },
      { ...call, from: 1, call: { name: 'transfer-item', item: 1, to: carol } },
      { ...call, from: 2, call: { name: 'transfer-item', item: 1, to: bob } },
      { ...call, from: 2, call: { name: 'transfer-item', item: 3, to: bob } },
    ],
  });
  const five = chain.mine(four, {
    transactions: [
      { kind: 'transfer', from: 0, to: carol, amount: 1n, fee: 1n },
      { ...call, from: 1, call: { name: 'burn-item', item: 2 } },
      { ...call, from: 1, call: { name: 'transfer-item', item: 1, to: alice } },
    ],
  });

  const { app, ask, database, tip } = await serveChain(t, [chain.genesis, one]);
  const shown = new Map<number, string[]>();
  const holders = new Map<number, object[]>();
  const look = async ({ height }: BuiltBlock) => {
    holders.set(height, await Promise.all(holderUrls.map(async url => sorted((await ask(url)).body))));
    shown.set(height, await Promise.all(urls.map(async url => (await app.inject(url)).body)));
  };
  await look(one);
  for (const block of [two, lost, three, four, five]) {
    await foldAll(database, messagesOf(block));
    if (block === three) continue; // A tie: the block that was seen first stays.
    await until(() => tip.current?.indexHash.toString('hex') === block.indexHash.replace(/^0x/, ''));
    if (block !== lost) await look(block);
  }

  for (const { height, hash, indexHash } of [one, two, four, five]) {
    for (const name of [height, hash, indexHash]) {
      const texts = await Promise.all(urls.map(async url => (await app.inject(at(url, name))).body));
      expect(texts).toEqual(shown.get(height));
      const listed = await Promise.all(holderUrls.map(async url => sorted((await ask(at(url, name))).body)));
      expect(listed).toEqual(holders.get(height));
    }
  }
  for (const url of [...holderUrls, `/extended/v3/principals/${bob}/balances/nft`]) {
    const whole = (await ask(at(url, 4))).body;
    expect(whole.results.length).toBeGreaterThan(1);
    const walked: object[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { results: object[]; cursor: { next: string | null } } = (
        await ask(`${at(url, 4)}&limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      ).body;
      walked.push(...page.results);
      cursor = page.cursor.next;
    }
    expect(walked).toEqual(whole.results);
  }
  // A request that may look at one candidate has short pages, and finds the same.
  for (const limit of [1, 3]) {
    const names: string[] = [];
    for (let cursor: PastHolder | undefined | null = null; cursor !== undefined; ) {
      const start: PastHolder | undefined = cursor ?? undefined;
      const page = await listPastHolders(database.sql, assetOf(item), { block: 5 }, { cursor: start, limit }, 1);
      names.push(...page!.rows.map(({ principal }) => principal));
      cursor = page!.next;
    }
    expect(names.sort()).toEqual([alice, bob].sort());
    const items: string[] = [];
    for (let start: NftCursor | undefined | null = null; start !== undefined; ) {
      const page = { cursor: start ?? undefined, limit };
      const found = await listPastNfts(database.sql, principalToBytes(bob), { block: 4 }, page, 1);
      items.push(...found!.rows.map(({ value }) => value.toString('hex')));
      start = found!.next && { identifier: item, value: found!.next.value };
    }
    expect(items.map(hex => Number(`0x${hex.slice(2)}`))).toEqual([1, 2, 3]);
  }
  const { balance } = (await ask(at(`/extended/v3/principals/${carol}/balances/stx`, 3))).body;
  expect(balance).toBe(String(1_000_000n - 5n));

  const named404 = [...urls.filter(url => !url.startsWith('/v1/names')), ...holderUrls];
  for (const block of [6, 999_999_999, lost.hash, lost.indexHash, `0x${'ab'.repeat(32)}`]) {
    for (const url of named404) expect([url, block, (await ask(at(url, block))).status]).toEqual([url, block, 404]);
  }
  for (const url of [...urls, ...holderUrls]) {
    for (const block of ['', '0', '-1', '1.5', 'x', '0x12', '01', '9999999999']) {
      expect([url, block, (await ask(at(url, block))).status]).toEqual([url, block, 400]);
    }
  }
  const both = [
    `/extended/v1/address/${alice}/assets?at_block=1&until_block=1`,
    `/extended/v1/address/${alice}/stx?at_block=1&unanchored=true`,
    `/extended/v1/address/${alice}/transactions?at_block=1&height=1`,
    `/extended/v1/address/${alice}/nonces?at_block=1&block_height=1`,
    `/extended/v2/addresses/${alice}/balances/stx?at_block=1&include_mempool=true`,
    '/extended/v1/stx_supply?at_block=1&height=1',
    '/v1/names/nobody.btc?at_block=1&unanchored=true',
  ];
  for (const url of both) {
    const { status, body } = await ask(url);
    expect([url, status, JSON.stringify(body)]).toEqual([url, 400, expect.stringContaining('at_block')]);
  }
  expect((await ask(`/extended/v1/address/${alice}/balances?at_block=1`)).body.stx).not.toHaveProperty(
    'estimated_balance',
  );
});
