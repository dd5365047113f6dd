import { parseNetwork } from '@cairn-stacks/codec/network';
import { expect, test } from 'vitest';
import { rosettaChain } from '../../src/app/rosetta-chain.ts';
import { node as nodeKind } from '../../src/config/setting.ts';
import { connect } from '../../src/db/client.ts';
import { plainReads } from '../../src/db/reads.ts';
import { NodePool } from '../../src/proxy/pool/node-pool.ts';
import { signerNamed } from '../support/rosetta.ts';
import { json, StubNode } from '../support/stub-node.ts';

const network = parseNetwork('testnet')!;
const { address } = signerNamed('alice', network);
const estimations = [{ fee: 180 }, { fee: 360 }, { fee: 540 }];

type Ending = { onTestFinished(work: () => Promise<void>): void };

async function chainOf(t: Ending, count: number) {
  const stubs = await Promise.all(Array.from({ length: count }, () => new StubNode().start()));
  const pool = new NodePool({
    nodes: stubs.map(({ url }) => nodeKind.parse(url)!),
    chainId: network.chainId,
    ...{ timeoutMs: 600_000, hedgeDelayMs: 60, maxLag: 5, connections: 8, responseLimit: 1_000_000, checkMs: 50 },
  });
  await pool.start();
  // Nothing listens there: what the index would be asked for must not be asked.
  const sql = connect('postgres://nobody@127.0.0.1:1/none', { max: 1, name: 'chain' });
  t.onTestFinished(async () => {
    await pool.stop(0);
    await Promise.all(stubs.map(stub => stub.stop()));
  });
  const send = async () => ({ rejection: { txid: '', error: 'transaction rejected', reason: 'FeeTooLow' } });
  const chain = rosettaChain({ nodes: { pool, send }, reads: plainReads(sql), tip: { current: undefined } });
  return { chain, stubs };
}

test('the node says nonce, fee and how stacking stands', async t => {
  const { chain, stubs } = await chainOf(t, 1);
  const [stub] = stubs as [StubNode];
  stub.answers = {
    [`/v2/accounts/${address}`]: () => json({ nonce: 12 }),
    '/v2/fees/transaction': () => json({ estimations }),
    '/v2/pox': () => json({ contract_id: 'ST0.pox-4', reward_cycle_id: 5, current_burnchain_block_height: 77 }),
  };
  expect(await chain.nextNonce(address)).toBe(12);
  expect(await chain.estimateFee(Uint8Array.of(1, 2), 200)).toBe(360n);
  expect(await chain.stacking()).toEqual({ contract: 'ST0.pox-4', rewardCycle: 5, burnHeight: 77 });
  const asked = stub.requests.find(({ url }) => url === '/v2/fees/transaction');
  expect(JSON.parse(String(asked?.body))).toEqual({ transaction_payload: '0102', estimated_len: 200 });
  expect(await chain.tipHash()).toBeUndefined();
});

test('a node without an estimate has a rate', async t => {
  const { chain, stubs } = await chainOf(t, 1);
  const [stub] = stubs as [StubNode];
  stub.answers = {
    '/v2/fees/transaction': () => json({ error: 'Estimation not available', reason: 'NoEstimateAvailable' }, 400),
    '/v2/fees/transfer': () => json(1.5),
  };
  expect(await chain.estimateFee(new Uint8Array(5), 201)).toBe(302n);
});

test.each(['error', 'html', 'html as json', 'cut'] as const)(
  'where one node answers %s, the other is asked',
  async fault => {
    const ends: (() => Promise<void>)[] = [];
    const { chain, stubs } = await chainOf({ onTestFinished: end => void ends.push(end) }, 2);
    for (const broken of stubs) {
      for (const stub of stubs) {
        stub.fault = stub === broken ? fault : undefined;
        stub.answers = { '/v2/fees/transaction': () => json({ estimations }) };
      }
      expect(await chain.estimateFee(new Uint8Array(5), 200)).toBe(360n);
    }
    for (const end of ends) await end();
  },
);

test('where no node says anything sensible, it is unavailable', async t => {
  const { chain, stubs } = await chainOf(t, 2);
  for (const stub of stubs) stub.answers = { '*': () => json({ nonsense: true }) };
  await expect(chain.stacking()).rejects.toMatchObject({ code: 646 });
  await expect(chain.estimateFee(new Uint8Array(5), 200)).rejects.toMatchObject({ code: 646 });
});

test('what is refused before it is sent has the words of a node', async t => {
  const { chain } = await chainOf(t, 0);
  expect(await chain.submit(new Uint8Array(3))).toEqual({
    refusal: JSON.stringify({ txid: '', error: 'transaction rejected', reason: 'FeeTooLow' }),
  });
});
