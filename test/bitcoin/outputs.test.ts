import { principal } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { bareHex } from '@cairn-stacks/codec/hex';
import { burnMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { expect, test } from 'vitest';
import { BitcoinNode } from '../../src/bitcoin/bitcoin-node.ts';
import { BitcoinWorker } from '../../src/bitcoin/bitcoin-worker.ts';
import { Emily } from '../../src/bitcoin/emily.ts';
import { type BitcoinSource, type OutputJob, SourceError } from '../../src/bitcoin/source.ts';
import { outputKinds } from '../../src/chain/sbtc/bitcoin-output.ts';
import type { Pool } from '../../src/db/client.ts';
import { NodeRpc } from '../../src/node/rpc.ts';
import {
  bitcoinTransaction,
  type MinedTransaction,
  startBitcoinNode,
  startEmily,
  type Trouble,
} from '../support/bitcoin-servers.ts';
import { testChain } from '../support/chain.ts';
import { acceptance, deposit, hash32, request, user, withSbtc } from '../support/sbtc-chain.ts';
import { serveChain } from '../support/served-chain.ts';
import { foldAll, until } from '../support/service.ts';

type Ending = Parameters<typeof startBitcoinNode>[0];

const hash20 = '000102030405060708090a0b0c0d0e0f10111213';
const p2wpkh = `0014${hash20}`;
const base = '/extended/v1/sbtc';
const gross = 5_400;
const minted = 5_000;

/** A deposit and a payment with real transactions; the fork completes the same deposit by another sweep. */
function bitcoinStory() {
  const chain = testChain({ seed: 77, release: '4.0' });
  const first = chain.mine(chain.genesis, { tenure: 'new' });
  const second = chain.mine(first, { tenure: 'new' });
  const third = chain.mine(second, { tenure: 'new' });
  const rival = chain.mine(first, { tenure: 'new' });
  const rivals = [rival, chain.mine(rival, { tenure: 'new' })];
  rivals.push(chain.mine(rivals[1]!, { tenure: 'new' }));
  const funding = bitcoinTransaction(
    [{ tx: hash32('coin'), vout: 0 }],
    [
      { amount: 9_000, script: p2wpkh },
      { amount: gross, script: `5120${hash32('signers')}` },
    ],
  );
  const sweep = bitcoinTransaction(
    [{ tx: funding.id, vout: 1 }],
    [
      { amount: 70_000, script: p2wpkh },
      { amount: 601, script: p2wpkh },
    ],
  );
  const stranger = bitcoinTransaction([{ tx: hash32('coin'), vout: 7 }], [{ amount: 1, script: '51' }]);
  const burn = { hash: first.burn.hash.slice(2), height: first.burn.height };
  const told = { tx: funding.id, vout: 1, amount: minted, to: user };
  const asked = { id: 1, amount: 601, maxFee: 100, sender: user, version: '04', hash: hash20, height: burn.height };
  const messages = [
    ...first.burnBlocks.map(burnMessage),
    withSbtc(first, []),
    ...second.burnBlocks.map(burnMessage),
    withSbtc(second, [deposit({ ...told, sweep: { tx: sweep.id, ...burn } }), request(asked)]),
    ...third.burnBlocks.map(burnMessage),
    withSbtc(third, [acceptance(asked, 40, 1, { tx: sweep.id, ...burn })]),
  ];
  const fork = rivals.flatMap((block, i) => [
    ...block.burnBlocks.map(burnMessage),
    withSbtc(block, i === 0 ? [deposit({ ...told, sweep: { tx: stranger.id, ...burn } })] : []),
  ]);
  const heights = new Map([
    [burn.hash, burn.height],
    [hash32('funded'), burn.height - 9],
  ]);
  const transactions = new Map<string, MinedTransaction>([
    [funding.id, { hex: funding.hex, block: hash32('funded'), confirmations: 20 }],
    [sweep.id, { hex: sweep.hex, block: burn.hash, confirmations: 11 }],
    [stranger.id, { hex: stranger.hex }],
  ]);
  const agreed = {
    ...{ bitcoinTxid: funding.id, bitcoinTxOutputIndex: 1, amount: gross, status: 'confirmed' },
    recipient: bareHex(encodeClarity(principal(user))),
    parameters: { maxFee: 800, lockTime: 700 },
  };
  const deposits = new Map<string, object>([[`${funding.id}/1`, agreed]]);
  return { genesis: chain.genesis, messages, fork, funding, sweep, burn, heights, transactions, agreed, deposits };
}

function startWorker(t: Ending, sql: Pool, source: BitcoinSource) {
  const results: string[] = [];
  const reasons: string[] = [];
  const worker = new BitcoinWorker({
    ...{ sql, source, everyMs: 1, retrySeconds: 0, onAnswer: result => void results.push(result) },
    log: { warn: (details: object) => void reasons.push((details as { reason: string }).reason) },
  });
  worker.start();
  t.onTestFinished(() => worker.stop());
  return { results, reasons, worker, answered: () => results.filter(result => result === 'answered').length };
}

const jobOf = ({ burn, funding, sweep }: ReturnType<typeof bitcoinStory>): OutputJob => ({
  ...{
    kind: outputKinds.deposit,
    vout: 1,
    amount: String(minted),
    burn_height: burn.height,
    attempts: 1,
    recipient: null,
  },
  ...{ tx_id: Buffer.from(funding.id, 'hex'), sweep_tx_id: Buffer.from(sweep.id, 'hex') },
  sweep_burn_hash: Buffer.from(burn.hash, 'hex'),
});

const rpcOf = (url: string, timeoutMs = 20_000) =>
  new NodeRpc({ url, headers: {}, auth: undefined }, { connections: 1, timeoutMs });

test('a deposit and a withdrawal have their Bitcoin side once both sources were asked', async t => {
  const story = bitcoinStory();
  const { funding, burn } = story;
  const api = await serveChain(t, [story.genesis, ...story.messages]);
  const { sql } = api.database;
  const node = await startBitcoinNode(t, story.transactions, story.heights);
  const emily = await startEmily(t, story.deposits);
  const byNode = startWorker(t, sql, new BitcoinNode(rpcOf(node.url)));
  const byEmily = startWorker(t, sql, new Emily(rpcOf(emily.url)));
  await until(async () => byNode.answered() === 2 && byEmily.answered() === 1);
  expect((await api.get(`${base}/deposits/${funding.id}:1`)).bitcoin).toEqual({
    ...{ gross: '5400', fee: '400', max_fee: '800', swept: true, sweep: 'in_block' },
    reclaim_height: burn.height - 9 + 700,
  });
  expect((await api.get(`${base}/withdrawals/1`)).bitcoin).toEqual({
    ...{ paid: '601', pays_recipient: true, sweep: 'in_block' },
  });
  const { results } = await api.get(`${base}/principals/${user}`);
  expect(results.map((row: { bitcoin: object }) => row.bitcoin === null)).toEqual([false, false]);
  // Both are deep: nobody is asked again.
  expect(await sql`select j.kind from bitcoin_jobs j`).toHaveLength(0);
  expect(emily.asked).toEqual([`/deposit/${funding.id}/1`]);
});

test('after a fork of Stacks the sweep of the other branch is looked for, and what was said of the first one is not shown', async t => {
  const story = bitcoinStory();
  const api = await serveChain(t, [story.genesis, ...story.messages]);
  const { sql } = api.database;
  const node = await startBitcoinNode(t, story.transactions, story.heights);
  const { answered, worker } = startWorker(t, sql, new BitcoinNode(rpcOf(node.url)));
  await until(async () => answered() === 2);
  await worker.stop();
  const position = await foldAll(api.database, story.fork);
  await until(async () => api.tip.current?.seq === Number(position.journal_seq));
  const url = `${base}/deposits/${story.funding.id}:1`;
  const before = await api.get(url);
  expect(before.sweep.tx_id).not.toBe(`0x${story.sweep.id}`);
  expect(before.bitcoin).toMatchObject({ gross: '5400', swept: null, sweep: null });

  const again = startWorker(t, sql, new BitcoinNode(rpcOf(node.url)));
  await until(async () => again.answered() === 1);
  const [row] = await sql<{ swept: boolean; sweep_state: number }[]>`
    select o.swept, o.sweep_state from bitcoin_outputs o where o.kind = 1
  `;
  // The stranger waits in the mempool and spends something else; it is asked about again later.
  expect(row).toEqual({ swept: false, sweep_state: 2 });
  expect(await sql`select j.kind from bitcoin_jobs j where j.due > now()`).toHaveLength(1);
});

test('a source that hangs, lies, or sends without end leaves everything unknown, and is asked until it answers', async t => {
  const story = bitcoinStory();
  const api = await serveChain(t, [story.genesis, ...story.messages]);
  const { sql } = api.database;
  const node = await startBitcoinNode(t, story.transactions, story.heights);
  const emily = await startEmily(t, story.deposits);
  const start = (limitMs: number) => [
    startWorker(t, sql, new BitcoinNode(rpcOf(node.url), limitMs)),
    startWorker(t, sql, new Emily(rpcOf(emily.url), limitMs)),
  ];
  const troubles: Trouble[] = ['hangs', 'endless', 'nonsense', 'lies', 'empty', 'redirects', 'refuses'];
  for (const trouble of troubles) {
    node.trouble = trouble;
    emily.trouble = trouble;
    // Only a server that hangs reaches the limit.
    const workers = start(trouble === 'hangs' ? 50 : 60_000);
    await until(async () => workers.every(({ results }) => results.length > 2));
    for (const { results, reasons, worker } of workers) {
      expect([trouble, ...new Set(results)]).toEqual([trouble, 'failed']);
      expect(reasons).toHaveLength(1);
      await worker.stop();
    }
  }
  expect(await sql`select o.kind from bitcoin_outputs o`).toHaveLength(0);
  const url = `${base}/deposits/${story.funding.id}:1`;
  expect((await api.get(url)).bitcoin).toBeNull();
  node.trouble = 'none';
  emily.trouble = 'none';
  const [byNode, byEmily] = start(60_000);
  await until(async () => byNode!.answered() === 2 && byEmily!.answered() === 1);
  expect(await sql`select j.kind from bitcoin_jobs j`).toHaveLength(0);
});

test('an answer that does not fit the chain is none, and only what is known is shown', async t => {
  const story = bitcoinStory();
  const api = await serveChain(t, [story.genesis, ...story.messages]);
  const { sql } = api.database;
  const at = `${story.funding.id}/1`;
  const emily = await startEmily(t, story.deposits);
  const wrong = [
    { bitcoinTxid: hash32('other') },
    { bitcoinTxOutputIndex: 2 },
    { recipient: '00' },
    { amount: minted - 1 },
    { amount: 10 ** 20 },
    { amount: '5400' },
    { parameters: { maxFee: gross - minted - 1, lockTime: 1 } },
    { parameters: { maxFee: -1 } },
    { parameters: null },
  ];
  const source = new Emily(rpcOf(emily.url));
  t.onTestFinished(() => source.close());
  const job = jobOf(story);
  const [known] = await sql<{ name: Buffer }[]>`
    select p.name from principals p join sbtc_deposits d on d.recipient = p.id limit 1
  `;
  for (const change of wrong) {
    story.deposits.set(at, { ...story.agreed, ...change });
    await expect(source.ask({ ...job, recipient: known!.name })).rejects.toThrow(SourceError);
  }
  story.deposits.set(at, { ...story.agreed, parameters: { maxFee: 800, lockTime: 10 ** 9 } });
  const worker = startWorker(t, sql, new Emily(rpcOf(emily.url)));
  await until(async () => worker.answered() === 1);
  expect((await api.get(`${base}/deposits/${story.funding.id}:1`)).bitcoin).toEqual({
    ...{ gross: '5400', fee: '400', max_fee: '800', reclaim_height: null, swept: null, sweep: null },
  });
  // What Emily does not know she is asked about once a day, and a week later no more.
  story.deposits.clear();
  expect(await source.ask(job)).toEqual({ againSeconds: 86_400 });
  expect(await source.ask({ ...job, attempts: 7 })).toEqual({});
});

test('a node of another network says nothing, and one without an index only what it finds in blocks', async t => {
  const story = bitcoinStory();
  const { transactions, heights, sweep, funding, burn } = story;
  const job = jobOf(story);
  const node = await startBitcoinNode(t, transactions, heights);
  const source = new BitcoinNode(rpcOf(node.url));
  t.onTestFinished(() => source.close());
  transactions.delete(funding.id);
  expect((await source.ask(job)).facts).toMatchObject({
    amount: null,
    swept: true,
    sweep_state: 1,
    mined_height: null,
  });
  transactions.delete(sweep.id);
  expect((await source.ask(job)).facts).toMatchObject({ swept: null, sweep_state: 3 });
  heights.delete(burn.hash);
  await expect(source.ask(job)).rejects.toThrow('the block of a sweep is unknown');
});
