import { bareHex } from '@cairn-stacks/codec/hex';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { DevnetSigners } from '@cairn-stacks/devnet/node/signers';
import { expect, test } from 'vitest';
import { readSignerChunks } from '../../src/node/signer-chunks.ts';
import { testDevnet } from '../support/devnet.ts';

type BlockBody = { block_hash: string; signer_signature?: string[] };
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;

test('signers propose, accept, reject, sleep and answer late, and the signatures of acceptances are in the block', () => {
  const { posted: messages, live } = testDevnet();
  live(260);
  const posted = messages.filter(({ path }: Message) => ['/new_block', '/stackerdb_chunks'].includes(path));
  const seen = { proposals: 0, rejected: 0, mined: 0, late: 0, again: 0 };
  const proposed = new Set<string>();
  const marks = new Map<string, Set<string>>();
  const blocks = new Map<string, BlockBody>();
  for (const { path, body } of posted) {
    if (path === '/new_block') {
      const block = body as BlockBody;
      blocks.set(block.block_hash, block);
      const known = marks.get(block.block_hash) ?? new Set();
      // The first byte is the recovery id.
      if (known.size > 0) for (const each of block.signer_signature ?? []) expect(known).toContain(each.slice(2, 18));
      if (known.size > 0) seen.mined++;
      continue;
    }
    const { proposals, responses, skipped } = readSignerChunks(body);
    expect(skipped).toBe(0);
    for (const { hash } of proposals) proposed.add(hex(hash));
    seen.proposals += proposals.length;
    for (const { hash, accepted, signature } of responses) {
      expect(proposed).toContain(hex(hash));
      if (!accepted) seen.rejected++;
      if (blocks.has(hex(hash))) seen.late++;
      const known = marks.get(hex(hash)) ?? new Set();
      marks.set(hex(hash), known);
      if (accepted) known.add(Buffer.from(signature).toString('hex'));
    }
  }
  seen.again = [...proposed].filter(hash => !blocks.has(hash)).length;
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
});

test('those who accept a block have 70% of the weight, whoever sleeps', () => {
  const signers = new DevnetSigners(3, false);
  const keys = [0, 1, 2].map(index => bareHex(accountAt(index, false).publicKey));
  const setOf = (...weights: number[]) =>
    weights.map((weight, slot) => ({ weight, signing_key: keys[slot] ?? 'ff'.repeat(33) }));
  const absent = { heavy: 0, light: 0 };
  for (let block = 0; block < 200; block++) {
    // The fourth has a key of somebody else and never answers.
    const set = setOf(120, 120, 60, 14);
    const votes = signers.votes(set, { indexHash: `0x${(block * 7919).toString(16).padStart(8, '0')}` });
    const accepted = votes.filter(({ vote }) => vote === 'accept');
    expect(accepted.reduce((sum, { slot }) => sum + set[slot]!.weight, 0)).toBeGreaterThanOrEqual(0.7 * 314);
    for (const { slot, vote } of votes) if (vote !== 'accept') absent[slot < 2 ? 'heavy' : 'light']++;
  }
  expect(absent.heavy).toBe(0);
  expect(absent.light).toBeGreaterThan(10);
});
