import { decodeNakamotoHeader } from '@cairn-stacks/codec/block/nakamoto-block';
import { bareHex, fromHex } from '@cairn-stacks/codec/hex';
import type { InclusionProof } from '@cairn-stacks/codec/proof/inclusion-proof';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { blockBytes } from '@cairn-stacks/devnet/chain/stored/block-record';
import { expect, test } from 'vitest';
import { Client, verifyProof } from '../../packages/client/src/index.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { forgeries, good, proofOf, set, seven, signedBy } from '../support/proofs.ts';
import { serveChain } from '../support/served-chain.ts';

const signers = { stacker_set: { signers: set.map(({ key, weight }) => ({ signing_key: `0x${key}`, weight })) } };
const consensusHash = bareHex(decodeNakamotoHeader(fromHex(good.raw_header)).consensusHash);

/** A node that knows the miner of the vectors to be elected in cycle 7, and its signers; `changed` replaces responses. */
function secondNode(changed: Record<string, () => Response> = {}) {
  const asked: string[] = [];
  const responses: Record<string, () => Response> = {
    [`/v3/sortitions/consensus/${consensusHash}`]: () => Response.json([{ burn_block_height: 100 + 7 * 20 + 3 }]),
    '/v2/pox': () => Response.json({ first_burnchain_block_height: 100, reward_cycle_length: 20 }),
    '/v3/stacker_set/7': () => Response.json(signers),
    ...changed,
  };
  const ask = async (url: string | URL | Request) => {
    const path = String(url).replace('http://node.example', '');
    asked.push(path);
    return responses[path]?.() ?? new Response('not found', { status: 404 });
  };
  return { trust: { node: 'http://node.example/', fetch: ask as typeof fetch }, asked };
}

test('a proof holds by the signers that the caller gives, or that a second node tells', async () => {
  const proven = { valid: true, signed: { weight: 7, total: 10, threshold: 7 } };
  expect(await verifyProof(good, { signers })).toMatchObject(proven);
  const { trust, asked } = secondNode();
  expect(await verifyProof(good, { ...trust, txId: good.txid.toUpperCase().slice(2) })).toMatchObject(proven);
  expect(asked).toEqual([`/v3/sortitions/consensus/${consensusHash}`, '/v2/pox', '/v3/stacker_set/7']);
});

test.each(forgeries)('a proof with %s is refused with the step that fails', async (_, change, step) => {
  const forged = { ...good, ...change } as InclusionProof;
  const refused = { valid: false, step, reason: expect.any(String) };
  expect(await verifyProof(forged, { signers })).toMatchObject(refused);
  // A header with other bytes may have another consensus hash; those of the vectors keep theirs.
  expect(await verifyProof(forged, secondNode().trust)).toMatchObject(refused);
});

test('too little weight, other signers and another transaction are refused', async () => {
  const few = proofOf(signedBy(seven.slice(1)));
  expect(await verifyProof(few, { signers })).toMatchObject({ valid: false, step: 'signers' });
  const others = { signers: signers.stacker_set.signers.slice(1) };
  expect(await verifyProof(good, { signers: others })).toMatchObject({
    valid: false,
    step: 'signers',
    reason: expect.stringContaining('no signer of the cycle'),
  });
  expect(await verifyProof(good, { signers, txId: `0x${'ab'.repeat(32)}` })).toMatchObject({
    valid: false,
    step: 'transaction',
    reason: expect.stringContaining('not of 0xabab'),
  });
  expect(await verifyProof(null as never, { signers })).toMatchObject({ valid: false, step: 'format' });
});

test('signers that cannot be learned are no verdict', async () => {
  const failing = async (changed: Record<string, () => Response>) =>
    await verifyProof(good, secondNode(changed).trust).then(
      () => 'a verdict',
      (error: Error) => error.message,
    );
  const down = () => new Response('busy', { status: 503 });
  expect(await failing({ '/v2/pox': down })).toBe('503: busy');
  expect(await failing({ '/v2/pox': () => Response.json({}) })).toContain('when cycles begin');
  expect(await failing({ '/v2/pox': () => new Response('<html>') })).toContain('/v2/pox with something else than JSON');
  expect(await failing({ '/v3/stacker_set/7': () => Response.json({ stacker_set: null }) })).toContain('of cycle 7');
  const unelected = { [`/v3/sortitions/consensus/${consensusHash}`]: () => Response.json([]) };
  expect(await failing(unelected)).toContain('when the miner was elected');
  await expect(verifyProof(good, {} as never)).rejects.toThrow('give the signers, or a node');
  await expect(verifyProof(good, { signers: {} })).rejects.toThrow('must be a response of /v3/stacker_set');
});

test('the proof of a service is checked by the client that asked for it', async t => {
  const chain = testChain({ sign: true, accounts: 3 });
  const first = chain.mine(chain.genesis, { transactions: 1 });
  const blocks = [first, ...mineLine(chain, first, 2, { transactions: 2 })];
  const byId = new Map<string, BuiltBlock>(blocks.map(block => [block.indexHash.slice(2), block]));
  const api = await serveChain(t, [chain.genesis, ...blocks], {
    readNodeBlock: async id => {
      const block = byId.get(id);
      return block && blockBytes(block);
    },
  });
  const client = new Client(await api.app.listen({ port: 0, host: '127.0.0.1' }));
  const { txId } = blocks[2]!.transactions.find(({ raw }) => raw !== '0x00')!;
  const proof = await client.call('get_transaction_proof', { tx_id: txId });
  const known = [2_000, 2_001].map(account => ({
    signing_key: bareHex(accountAt(account, false).publicKey),
    weight: 5,
  }));
  expect(await verifyProof(proof, { signers: { signers: known }, txId })).toMatchObject({
    valid: true,
    signed: { weight: 10, total: 10, threshold: 7 },
  });
  expect(await verifyProof(proof, { signers, txId })).toMatchObject({ valid: false, step: 'signers' });
});
