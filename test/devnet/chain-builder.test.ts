import { blockId } from '@cairn-stacks/codec/block/block-header';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { decodeTransaction, transactionId } from '@cairn-stacks/codec/transaction/transaction';
import { verifyTransaction } from '@cairn-stacks/codec/transaction/verification';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { ChainBuilder } from '@cairn-stacks/devnet/chain/chain-builder';
import { chooseChain } from '@cairn-stacks/devnet/chain/fork-choice';
import { messageText } from '@cairn-stacks/devnet/chain/message-text';
import type { Release } from '@cairn-stacks/devnet/chain/release';
import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../src/node/json.ts';
import { readBlock, readBurnBlock, readMicroblocks } from '../../src/node/messages.ts';

/** The parent hash of the first block of every Stacks chain: the hash of 52 zero bytes. */
const genesisIndexHash = '55c9861be5cff984a20ce6d99d4aa65941412889bdc665094136429b84f8c2ee';

const names = ['2.4', '3.1', '4.0'] as const satisfies Release['name'][];
const reread = (body: object) => parseMessage(Buffer.from(messageText(body)));

function line(chain: ChainBuilder, length: number): BuiltBlock[] {
  const blocks = [chain.genesis];
  for (let i = 0; i < length; i++) {
    if (!chain.release.nakamoto && i % 2 === 1) chain.microblock(blocks.at(-1)!);
    blocks.push(chain.mine(blocks.at(-1)!, { burnOperations: i % 3, transactions: 4 }));
  }
  return blocks;
}

describe.each(names)('a chain as release %s tells it', release => {
  const chain = new ChainBuilder({ seed: 7, release, sign: false, maturity: 3 });
  const blocks = line(chain, 40);

  test('is read without a loss: ids, hashes and places agree', () => {
    for (const block of blocks) {
      const read = readBlock(reread(block.body));
      expect(toHex(read.indexHash)).toBe(block.indexHash);
      expect(toHex(read.parentIndexHash)).toBe(block.parent?.indexHash ?? `0x${'ff'.repeat(32)}`);
      expect(toHex(blockId(read.hash, block.tenure.consensusHash))).toBe(block.indexHash);
      expect(read.receipts).toHaveLength(block.transactions.length);
      for (const receipt of read.receipts) {
        if (receipt.transaction) expect(toHex(transactionId(receipt.raw))).toBe(toHex(receipt.txId));
      }
      for (const burn of block.burnBlocks) expect(readBurnBlock(reread(burn.message)).height).toBe(burn.height);
    }
    expect(blocks[0]!.indexHash).toBe(`0x${genesisIndexHash}`);
  });

  test('has every kind of event, both aborts, sponsors, burn operations and rewards', () => {
    const read = blocks.map(block => readBlock(reread(block.body)));
    const kinds = new Set(read.flatMap(b => b.receipts.flatMap(r => r.events.map(e => e.kind))));
    const statuses = new Set(read.flatMap(b => b.receipts.map(r => r.status)));
    expect(kinds.size).toBeGreaterThanOrEqual(9);
    expect([...statuses].sort()).toEqual(['abort_by_post_condition', 'abort_by_response', 'success']);
    expect(read.some(b => b.receipts.some(r => r.transaction?.auth.sponsor))).toBe(true);
    expect(read.some(b => b.receipts.some(r => r.burnOperation))).toBe(true);
    expect(read.some(b => b.rewards.some(r => r.coinbase > 0n))).toBe(true);
  });

  test('is the same again from the same seed, and another from another', () => {
    const text = (seed: number) => {
      const again = new ChainBuilder({ seed, release, sign: false, maturity: 3 });
      return line(again, 10).map(b => messageText(b.body));
    };
    expect(text(7)).toEqual(blocks.slice(0, 11).map(b => messageText(b.body)));
    expect(text(8)).not.toEqual(text(7));
  });
});

test('transactions are signed for real when asked', () => {
  const chain = new ChainBuilder({ seed: 3 });
  const block = chain.mine(chain.genesis, {
    transactions: [
      { from: 0, kind: 'transfer', to: 'ST000000000000000000002AMW42H', amount: 5n },
      { from: 1, sponsor: 2, kind: 'deploy', name: 'token' },
    ],
  });
  for (const { raw } of block.transactions) expect(verifyTransaction(decodeTransaction(fromHex(raw))).valid).toBe(true);
});

test('a block of 2.x carries the microblocks it confirms after its own transactions', () => {
  const chain = new ChainBuilder({ seed: 3, release: '2.4', sign: false });
  const first = chain.mine();
  const streamed = [chain.microblock(first), chain.microblock(first, 2), chain.microblock(first)];
  const next = chain.mine(first, { confirms: 2, transactions: 1 });
  const read = readBlock(reread(next.body));
  expect(toHex(read.parentMicroblock!.hash)).toBe(streamed[1]!.hash);
  expect(read.receipts.map(r => r.microblock?.sequence)).toEqual([undefined, undefined, 0, 1, 1]);
  expect(toHex(read.receipts[2]!.microblock!.parentHash)).toBe(first.hash);
  expect(readMicroblocks(reread(streamed[1]!.body)).receipts.map(r => r.index)).toEqual([0, 1]);
});

describe('of two branches', () => {
  const chain = new ChainBuilder({ seed: 1, sign: false });
  const one = chain.mine();
  const [a, b] = [chain.mine(one), chain.mine(one)];
  const [aa, bb] = [chain.mine(a), chain.mine(b)];
  const tip = (...arrivals: BuiltBlock[]) => chooseChain([chain.genesis, ...arrivals].map(block => ({ block }))).at(-1);

  test('the higher one wins, and the first seen keeps a tie', () => {
    expect(tip(one, a, b)).toBe(a);
    expect(tip(one, b, a)).toBe(b);
    expect(tip(one, a, b, bb)).toBe(bb);
    expect(tip(one, a, b, bb, aa)).toBe(bb);
  });

  test('one that misses a block waits for it', () => {
    expect(tip(one, a, bb)).toBe(a);
    expect(tip(one, a, bb, b)).toBe(bb);
  });
});
