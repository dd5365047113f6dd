import { AddressVersion, decodeAddress, encodeAddress } from '@cairn-stacks/codec/address/c32';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { Executed } from '@cairn-stacks/devnet/chain/executed';
import { describe, expect, test } from 'vitest';
import { mineLine, testChain } from '../support/chain.ts';
import { rawMoves } from '../support/raw-facts.ts';
import { type RawTransaction, rawTransactions } from '../support/raw-transactions.ts';
import { serveChainForFile } from '../support/served-chain.ts';

type Listed = { tx_id: string; fee_rate: string; burn_block_time: number };
const idsIn = (rows: readonly { tx_id: string }[]) => rows.map(({ tx_id }) => tx_id);
const idsOf = (page: { results: Listed[] }) => idsIn(page.results);
const addressOf = (index: number) => accountAt(index, false).address;

describe('on a chain with traffic', () => {
  const chain = testChain({ seed: 3 });
  const line = mineLine(chain, chain.genesis, 7, { transactions: 4, tenure: 'new' });
  const { get, ask } = serveChainForFile(() => [chain.genesis, ...line]);
  /** What the messages say, newest first; what block 0 holds is shown between what block 1 holds. */
  const sent = rawTransactions([...line, chain.genesis])
    .sort((a, b) => a.height - b.height || a.index - b.index)
    .reverse();
  const idsWhere = (test: (transaction: RawTransaction) => boolean) => sent.filter(test).map(({ id }) => id);

  /** Every transaction of the list, one page after the other. */
  async function walk(query = '', limit = 20): Promise<Listed[]> {
    const all: Listed[] = [];
    for (;;) {
      const { results, total } = await get(`/extended/v1/tx?${query}&limit=${limit}&offset=${all.length}`);
      all.push(...results);
      if (all.length >= total) {
        expect(total, query).toBe(all.length);
        return all;
      }
    }
  }

  test('every transaction has a sentence that names its sender, and its parts make up the text', async () => {
    for (const { tx_id } of await walk('', 50)) {
      const { sender_address, tx_status } = await get(`/extended/v1/tx/${tx_id}`);
      const summary = await get(`/extended/v1/tx/${tx_id}/summary`);
      expect(summary).toMatchObject({ tx_id, tx_status, complete: true });
      expect(summary.parts.map(({ text }: { text: string }) => text).join('')).toBe(summary.text);
      expect(summary.parts).toContainEqual(expect.objectContaining({ kind: 'principal', id: sender_address }));
    }
    expect(await ask(`/extended/v1/tx/0x${'00'.repeat(32)}/summary`)).toMatchObject({ status: 404 });
    expect(await ask('/extended/v1/tx/0x12/summary')).toMatchObject({ status: 400 });
  });

  test('an offset beyond the end of a list that cannot be sought is an empty page, however deep', async () => {
    const sender = addressOf(0);
    for (const query of [`from_address=${sender}`, 'sort_by=fee', 'sort_by=burn_block_time', 'nonce=1']) {
      const { total } = await get(`/extended/v1/tx?${query}`);
      const beyond = await get(`/extended/v1/tx?${query}&offset=1000000000`);
      expect([beyond.total, beyond.results], query).toEqual([total, []]);
    }
    expect((await get(`/extended/v1/tx/events?address=${sender}&offset=1000000000`)).events).toEqual([]);
  });

  test('lists sorted by fee or time are the same by filter and by type as all of them', async () => {
    for (const sort of ['sort_by=fee', 'sort_by=burn_block_time']) {
      const all = (await walk(sort, 50)).map(({ tx_id }) => tx_id);
      expect(all.toSorted(), sort).toEqual(idsWhere(() => true).toSorted());
      const inOrder = (ids: string[]) => all.filter(id => ids.includes(id));
      const transfers = await walk(`${sort}&type=token_transfer`, 3);
      expect(idsIn(transfers), sort).toEqual(inOrder(idsWhere(({ type }) => type === 'token_transfer')));
      const sender = sent[0]!.sender;
      const own = await walk(`${sort}&from_address=${sender}`, 3);
      expect(idsIn(own), sort).toEqual(inOrder(idsWhere(each => each.sender === sender)));
    }
  });

  test('the state is added to the status on request, in lists and alone', async () => {
    const plain = await walk('', 50);
    const told = (await walk('include_state=true', 50)) as (Listed & { state: string; tx_status: string })[];
    expect(told.map(({ state: _, ...transaction }) => transaction)).toEqual(plain);
    for (const { state, tx_status } of told) expect(state).toBe(tx_status === 'success' ? 'success' : 'failed');
    const [first] = told;
    const one = await get(`/extended/v1/tx/${first!.tx_id}?include_state=true`);
    expect(one.state).toBe(first!.state);
    const several = await get(`/extended/v1/tx/multiple?tx_id=${first!.tx_id}&include_state=true`);
    expect(several[first!.tx_id].result.state).toBe(first!.state);
    expect(await get(`/extended/v1/tx/${first!.tx_id}`)).not.toHaveProperty('state');
  });

  test('every offset gives the page that starts there, newest first', async () => {
    const all = await walk('exclude_function_args=true', 7);
    expect(idsIn(all)).toEqual(idsWhere(() => true));
    for (const offset of [0, 1, 5, 17, all.length - 3]) {
      const page = await get(`/extended/v1/tx?limit=3&offset=${offset}&exclude_function_args=true`);
      expect(page.results, `offset ${offset}`).toEqual(all.slice(offset, offset + 3));
    }
  });

  test('the other order is the same list from its end', async () => {
    const down = await walk('order=desc');
    const up = await walk('order=asc');
    expect(up).toEqual(down.reverse());
  });

  test('types, alone and together, choose from the list by their running totals', async () => {
    for (const types of [['coinbase'], ['tenure_change'], ['token_transfer', 'contract_call'], ['poison_microblock']]) {
      const wanted = idsWhere(({ type }) => types.includes(type));
      expect(idsIn(await walk(`type=${types.join(',')}`, 4))).toEqual(wanted);
      expect(idsIn(await walk(`order=asc&type=${types.join('&type=')}`, 4))).toEqual(wanted.toReversed());
    }
  });

  test('a sender, a recipient, a contract and a function narrow the list', async () => {
    const sender = addressOf(0);
    expect(idsIn(await walk(`from_address=${sender}`))).toEqual(idsWhere(each => each.sender === sender));
    const { contract, call } = sent.find(each => each.type === 'contract_call')!;
    const calls = idsWhere(each => each.contract === contract && each.call !== undefined);
    expect(calls.length).toBeGreaterThan(0);
    expect(idsIn(await walk(`contract_id=${contract}`))).toEqual(calls);
    expect(idsIn(await walk(`function_name=${call}`))).toEqual(idsWhere(each => each.call === call));
    expect(await walk('function_name=nobody-has-this')).toEqual([]);
    expect(await walk(`to_address=${addressOf(4_000)}`)).toEqual([]);
  });

  test('outcomes narrow the list: success, every failure, or one kind of it', async () => {
    const failed = idsWhere(({ status }) => status !== 'success');
    expect(failed.length).toBeGreaterThan(0);
    expect(idsIn(await walk('status=success'))).toEqual(idsWhere(({ status }) => status === 'success'));
    expect(idsIn(await walk('status=failed'))).toEqual(failed);
    for (const exact of ['abort_by_response', 'abort_by_post_condition', 'problematic_skipped']) {
      expect(idsIn(await walk(`status=${exact}`))).toEqual(idsWhere(({ status }) => status === exact));
    }
    const calls = idsWhere(({ status, type }) => status !== 'success' && type === 'contract_call');
    expect(idsIn(await walk('status=failed&type=contract_call'))).toEqual(calls);
  });

  test('a list of pending transactions redirects to the mempool, or names an unsupported parameter', async () => {
    const { status, location } = await ask(
      `/extended/v1/tx?status=pending&limit=3&sort_by=fee&from_address=${addressOf(0)}`,
    );
    const { pathname, searchParams } = new URL(location!, 'http://here');
    expect([status, pathname]).toEqual([302, '/extended/v1/tx/mempool']);
    const asked = { limit: '3', order_by: 'fee', sender_address: addressOf(0) };
    expect(Object.fromEntries(searchParams)).toMatchObject(asked);
    expect((await ask(location!)).status).toBe(200);
    const refused = await ask('/extended/v1/tx?status=pending&contract_id=whatever');
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('contract_id')]);
  });

  test('a nonce is searched for, with and without a sender', async () => {
    expect(idsIn(await walk('nonce=2'))).toEqual(idsWhere(({ nonce }) => nonce === 2));
    const { sender } = sent.find(each => each.nonce === 2 && each.type === 'token_transfer')!;
    const own = idsWhere(each => each.nonce === 2 && each.sender === sender);
    expect(idsIn(await walk(`nonce=2&from_address=${sender}`))).toEqual(own);
  });

  test('the list can be sorted by fee', async () => {
    const fees = (await walk('sort_by=fee')).map(transaction => Number(transaction.fee_rate));
    expect(fees).toEqual(sent.map(({ fee }) => fee).sort((a, b) => b - a));
  });

  test('times of burn blocks bound the list', async () => {
    const middle = sent[20]!.burnTime;
    const since = await get(`/extended/v1/tx?limit=50&start_time=${middle}&end_time=${middle}`);
    expect(idsOf(since)).toEqual(idsWhere(({ burnTime }) => burnTime === middle));
    expect(since.total).toBe(since.results.length);
    expect((await get('/extended/v1/tx?start_time=9007199254740991')).total).toBe(0);
  });

  test('a transaction comes with its events, and its bytes alone', async () => {
    const block = line.at(-1)!;
    const full = block.transactions.find(transaction => transaction.events.length > 0) as Executed;
    const shown = await get(`/extended/v1/tx/${full.txId}`);
    expect(shown).toMatchObject({ canonical: true, block_hash: block.hash, event_count: full.events.length });
    expect(shown.events.length).toBe(full.events.length);
    expect(await get(`/extended/v1/tx/${full.txId}/raw`)).toEqual({ raw_tx: full.raw });
    const { events } = await get(`/extended/v1/tx/events?tx_id=${full.txId}`);
    expect(events).toEqual([...shown.events].reverse());
  });

  test('arguments of a call are named by the interface of the contract', async () => {
    const { results } = await get('/extended/v1/tx?type=contract_call&limit=50');
    const known = results.find((each: { contract_call: { function_signature: string } }) =>
      each.contract_call.function_signature.includes('(amount uint)'),
    );
    expect(known.contract_call.function_args[0]).toMatchObject({ name: 'amount', type: 'uint' });
    const short = await get(`/extended/v1/tx/${known.tx_id}?exclude_function_args=true`);
    expect(short.contract_call).not.toHaveProperty('function_args');
  });

  test('several ids are looked up at once, unknown ones among them', async () => {
    const [first, last] = [line[0]!.transactions[0]!.txId, line.at(-1)!.transactions[0]!.txId];
    const unknown = `0x${'ab'.repeat(32)}`;
    const found = await get(`/extended/v1/tx/multiple?tx_id=${first},${unknown}&tx_id=${last}`);
    expect(Object.keys(found)).toEqual([first, unknown, last]);
    expect(found[first]).toMatchObject({ found: true, result: { tx_id: first } });
    expect(found[unknown]).toEqual({ found: false, result: { tx_id: unknown } });
  });

  test('the transactions of a block are the same from either end', async () => {
    const block = line[5]!;
    const ids = block.transactions.map(transaction => transaction.txId);
    expect(idsOf(await get(`/extended/v2/blocks/${block.hash}/transactions`))).toEqual(ids);
    expect(idsOf(await get(`/extended/v2/blocks/${block.height}/transactions?limit=2&offset=1`))).toEqual(
      ids.slice(1, 3),
    );
    const reversed = [...ids].reverse();
    expect(idsOf(await get(`/extended/v1/tx/block/${block.hash}`))).toEqual(reversed);
    expect(idsOf(await get(`/extended/v1/tx/block_height/${block.height}?offset=1`))).toEqual(reversed.slice(1));
  });

  test('events of a principal come newest first, page by page', async () => {
    const url = `/extended/v1/tx/events?address=${addressOf(1)}`;
    const { events } = await get(`${url}&limit=100`);
    expect(events.length).toBeGreaterThan(4);
    const moves = rawMoves([line[0]!, chain.genesis, ...line.slice(1)]).filter(({ sender, recipient }) =>
      [sender, recipient].includes(addressOf(1)),
    );
    const assets = events.filter((event: { asset?: object }) => event.asset);
    expect(assets.map((event: Moved) => [event.tx_id, event.event_index, event.asset.amount ?? '1'])).toEqual(
      moves.reverse().map(({ tx_id, event_index, amount }) => [tx_id, event_index, amount]),
    );
    const pages = [await get(`${url}&limit=3`), await get(`${url}&limit=3&offset=3`)];
    expect(pages.flatMap(page => page.events)).toEqual(events.slice(0, 6));
    const locks = await get(`${url}&limit=100&type=stx_lock`);
    expect(locks.events).toEqual(events.filter((event: { event_type: string }) => event.event_type === 'stx_lock'));
  });

  test('invalid requests are rejected', async () => {
    const refused = [
      '?type=bogus',
      '?from_address=nobody',
      '?contract_id=nobody',
      '?nonce=9007199254740992',
      '?offset=9223372036854775808',
      '?sort_by=size',
      '/abc',
      '/multiple?tx_id=abc',
      '/events',
      `/events?tx_id=${'ab'.repeat(32)}&address=${addressOf(0)}`,
      '/block_height/2147483648',
    ];
    for (const path of refused) expect((await ask(`/extended/v1/tx${path}`)).status, path).toBe(400);
    expect((await ask(`/extended/v1/tx/0x${'ab'.repeat(32)}`)).status).toBe(404);
    const { status, location } = await ask(`/extended/v1/tx/${'ab'.repeat(32)}?event_limit=1`);
    expect([status, location]).toEqual([302, `/extended/v1/tx/0x${'ab'.repeat(32)}?event_limit=1`]);
  });
});

type Moved = { tx_id: string; event_index: number; asset: { amount?: string } };
type Operations = { transactions: { burnchain_op: { stack_stx?: { sender: { address: string } } } | null }[] };

describe('after a fork', () => {
  const chain = testChain();
  const [base] = mineLine(chain, chain.genesis, 1, { tenure: 'new' });
  const left = chain.mine(base!, {
    tenure: 'new',
    burnOperations: [
      { from: 1, kind: 'transfer_stx', to: addressOf(2), amount: 5n },
      { from: 3, kind: 'stack_stx', amount: 1_000_000n, cycles: 3, rejected: true },
    ],
  });
  // An account of the main network that needs several keys.
  const several = encodeAddress(AddressVersion.mainnetMultiSig, decodeAddress(addressOf(3)).hash);
  const body = structuredClone(left.body) as Operations;
  body.transactions.find(({ burnchain_op: op }) => op?.stack_stx)!.burnchain_op!.stack_stx!.sender.address = several;
  const right = mineLine(chain, base!, 2, { tenure: 'new' });
  const { get } = serveChainForFile(() => [chain.genesis, base!, { ...left, body }, ...right]);

  test('what only the block that was left behind holds is shown as not canonical', async () => {
    const lost = left.transactions.find(transaction => transaction.burnOperation)!;
    const shown = await get(`/extended/v1/tx/${lost.txId}`);
    expect(shown).toMatchObject({ tx_id: lost.txId, canonical: false, block_hash: left.hash, block_height: 2 });
    expect(shown.token_transfer).toMatchObject({ recipient_address: addressOf(2), amount: '5' });
    expect(shown.events).toMatchObject([{ event_type: 'stx_asset', asset: { amount: '5' } }]);
    expect(await get(`/extended/v1/tx/${lost.txId}/raw`)).toEqual({ raw_tx: '0x00' });
    expect(idsOf(await get('/extended/v1/tx?limit=50'))).not.toContain(lost.txId);
  });

  test('a Bitcoin operation that was left behind calls a contract of the network of its sender', async () => {
    const lost = left.transactions.filter(transaction => transaction.burnOperation)[1]!;
    const shown = await get(`/extended/v1/tx/${lost.txId}`);
    expect(shown.contract_call.contract_id).toBe('SP000000000000000000002Q6VF78.pox');
  });
});

describe('with microblocks and Bitcoin operations', () => {
  const chain = testChain({ release: '2.4' });
  const [base] = mineLine(chain, chain.genesis, 1);
  const block = chain.mine(base!, {
    transactions: 0,
    burnOperations: [
      { from: 1, kind: 'transfer_stx', to: addressOf(2), amount: 77n, memo: 'hi' },
      { from: 2, kind: 'stack_stx', amount: 1_000_000n, cycles: 3 },
    ],
  });
  const loose = chain.microblock(block, 2);
  const { get, ask } = serveChainForFile(() => [chain.genesis, base!, block, loose]);

  test('a Bitcoin operation is shown as a transaction', async () => {
    const [transfer, stack] = block.transactions;
    expect(await get(`/extended/v1/tx/${transfer!.txId}`)).toMatchObject({
      tx_type: 'token_transfer',
      sender_address: addressOf(1),
      post_condition_mode: 'allow',
      token_transfer: { recipient_address: addressOf(2), amount: '77' },
    });
    const { contract_call: call } = await get(`/extended/v1/tx/${stack!.txId}`);
    expect(call.function_name).toBe('stack-stx');
    expect(call.function_args.map((arg: { repr: string }) => arg.repr)).toEqual([
      'u1000000',
      expect.stringMatching(/^\(tuple \(hashbytes 0x/),
      `u${block.burn.height}`,
      'u3',
    ]);
    expect(await get(`/extended/v1/tx/${stack!.txId}/raw`)).toEqual({ raw_tx: '0x00' });
  });

  test('unconfirmed transactions are shown on request', async () => {
    const [first, second] = loose.transactions;
    expect((await ask(`/extended/v1/tx/${first!.txId}`)).status).toBe(404);
    const shown = await get(`/extended/v1/tx/${first!.txId}?unanchored=true`);
    expect(shown).toMatchObject({ is_unanchored: true, block_hash: '0x', block_height: 3, burn_block_height: -1 });
    const plain = await get('/extended/v1/tx?limit=50');
    const withStream = await get('/extended/v1/tx?limit=50&unanchored=true');
    expect(idsOf(withStream)).toEqual([second!.txId, first!.txId, ...idsOf(plain)]);
    expect(withStream.total).toBe(plain.total + 2);
    const upward = await get('/extended/v1/tx?limit=50&unanchored=true&order=asc');
    expect(idsOf(upward)).toEqual(idsOf(withStream).reverse());
    expect(idsOf(await get('/extended/v1/microblock/unanchored/txs'))).toEqual([second!.txId, first!.txId]);
  });
});
