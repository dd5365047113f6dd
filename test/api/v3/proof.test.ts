import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareHex } from '@cairn-stacks/codec/hex';
import { type InclusionProof, readSignerSet, verifyInclusion } from '@cairn-stacks/codec/proof/inclusion-proof';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { blockBytes } from '@cairn-stacks/devnet/chain/stored/block-record';
import { expect, test } from 'vitest';
import { command } from '../../../src/commands/verify-proof.ts';
import { mineLine, testChain } from '../../support/chain.ts';
import { serveChain } from '../../support/served-chain.ts';

/** The accounts that sign blocks of the simulated chain. */
const signers = [2_000, 2_001].map(account => ({
  signing_key: bareHex(accountAt(account, false).publicKey),
  stacked_amt: '5',
  weight: 5,
}));

/** A signed chain; its first block says who signs the cycle of the others. */
function signedChain() {
  const chain = testChain({ sign: true, accounts: 3 });
  const first = chain.mine(chain.genesis, { transactions: 1 });
  const line = [first, ...mineLine(chain, first, 3, { transactions: 2, burnOperations: 1 })];
  const rewardSet = { rewarded_addresses: [], start_cycle_state: { missed_reward_slots: [] }, signers };
  const cycle = Math.floor(line.at(-1)!.burn.height / 20);
  Object.assign(first.body, { reward_set: { ...rewardSet, pox_ustx_threshold: '1' }, cycle_number: cycle });
  const empty = chain.mine(line.at(-1)!, { transactions: [] });
  return { genesis: chain.genesis, blocks: [...line, empty] };
}

/** The first transaction that a block itself holds. */
const ownOf = ({ transactions }: BuiltBlock) => transactions.find(({ raw }) => raw !== '0x00')!;

type Proof = InclusionProof & {
  consensus: { reward_set: object; reward_cycle: number } | null;
  signed: { weight: number; total: number; threshold: number; signers: string[] } | null;
};

/** What the command prints, and its exit code. */
async function run(proof: object, args: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'proof-'));
  const file = join(folder, 'proof.json');
  writeFileSync(file, JSON.stringify(proof));
  const written: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  try {
    const code = await command.run({ flags: args, positionals: [file], env: {} });
    return { code, out: written.join('') };
  } finally {
    process.stdout.write = write;
  }
}

test('every transaction of a block itself has a proof that a verifier accepts, what a node made has none', async t => {
  const { genesis, blocks } = signedChain();
  const byId = new Map<string, BuiltBlock>(blocks.map(block => [block.indexHash.slice(2), block]));
  const readNodeBlock = async (id: string) => {
    const block = byId.get(id);
    return block && blockBytes(block);
  };
  const { ask, get } = await serveChain(t, [genesis, ...blocks], { readNodeBlock });
  let [proven, made] = [0, 0];
  for (const block of blocks) {
    for (const { txId, raw } of block.transactions) {
      const path = `/extended/v3/transactions/${txId}/proof`;
      if (raw === '0x00') {
        expect(await ask(path)).toMatchObject({ status: 404, body: { code: 'PROOF_UNAVAILABLE' } });
        made++;
        continue;
      }
      const proof = (await get(path)) as Proof;
      expect(proof).toMatchObject({ txid: txId, index_block_hash: block.indexHash, raw_tx: raw, canonical: true });
      const set = readSignerSet({ signers });
      const isKnown = proof.consensus !== null;
      expect(verifyInclusion(proof, isKnown ? set : undefined)).toMatchObject({ valid: true });
      if (isKnown) {
        expect(proof.signed).toMatchObject({ weight: 10, total: 10, threshold: 7 });
        expect(
          readSignerSet(proof.consensus!.reward_set)!
            .map(({ key }) => key)
            .toSorted(),
        ).toEqual(signers.map(({ signing_key }) => signing_key).toSorted());
      }
      proven++;
    }
  }
  expect(proven).toBeGreaterThan(4);
  expect(made).toBeGreaterThan(0);
  // A block with one transaction: its leaf is its own neighbour.
  const alone = blocks.find(block => block.transactions.filter(({ raw }) => raw !== '0x00').length === 1);
  if (alone) {
    const { txId } = alone.transactions.find(({ raw }) => raw !== '0x00')!;
    expect(((await get(`/extended/v3/transactions/${txId}/proof`)) as Proof).tx_merkle_path).toHaveLength(1);
  }

  const { txId } = ownOf(blocks.at(-2)!);
  const proof = (await get(`/extended/v3/transactions/${txId}/proof`)) as Proof;
  const folder = mkdtempSync(join(tmpdir(), 'signers-'));
  const file = join(folder, 'set.json');
  writeFileSync(file, JSON.stringify({ stacker_set: { signers } }));
  expect(await run(proof, { signers: file })).toEqual({
    code: 0,
    out: expect.stringMatching(/^proven: transaction 0x.*\nsigned by 10 of 10, 7 needed\n$/),
  });
  expect(await run(proof)).toEqual({ code: 0, out: expect.stringContaining('that the proof names') });
  const forged = { ...proof, raw_tx: `${proof.raw_tx}00` };
  expect(await run(forged)).toEqual({ code: 1, out: expect.stringMatching(/^not proven: transaction: /) });
  const others = [
    { ...signers[0]!, weight: 1 },
    { ...signers[1]!, weight: 1 },
    { signing_key: `02${'11'.repeat(32)}`, weight: 9 },
  ];
  writeFileSync(file, JSON.stringify({ signers: others }));
  expect(await run(proof, { signers: file })).toEqual({ code: 1, out: expect.stringContaining('signed by 2 of 11') });
  await expect(run(proof, { signers: file, node: 'http://127.0.0.1:1' })).rejects.toThrow('not both');
  writeFileSync(file, '{}');
  await expect(run(proof, { signers: file })).rejects.toThrow('has no signers');
});

test('without a node that gives the block, the response says so', async t => {
  const { genesis, blocks } = signedChain();
  const served: { bytes: Uint8Array | undefined } = { bytes: undefined };
  const { ask } = await serveChain(t, [genesis, ...blocks], { readNodeBlock: async () => served.bytes });
  const path = `/extended/v3/transactions/${ownOf(blocks.at(-2)!).txId}/proof`;
  const missing = { status: 503, body: { code: 'PROOF_NODE_UNAVAILABLE', error: expect.any(String) } };
  expect(await ask(path)).toMatchObject(missing);
  served.bytes = Uint8Array.of(1, 2, 3);
  expect(await ask(path)).toMatchObject(missing);
  served.bytes = blockBytes(blocks[0]!);
  expect(await ask(path)).toMatchObject(missing);
  const unknown = await ask(`/extended/v3/transactions/0x${'ab'.repeat(32)}/proof`);
  expect(unknown).toMatchObject({ status: 404, body: { code: 'PROOF_UNAVAILABLE' } });
  expect((await ask('/extended/v3/transactions/abc/proof')).status).toBe(400);
});
