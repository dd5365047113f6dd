import { readdirSync, readFileSync } from 'node:fs';
import { reprClarity } from '@cairn-stacks/codec/clarity/repr';
import { toHex } from '@cairn-stacks/codec/hex';
import { encodeTransaction, senderAddress, transactionId } from '@cairn-stacks/codec/transaction/transaction';
import { afterAll, expect, test, vi } from 'vitest';
import * as generate from './generate.ts';
import { Random } from './random.ts';

afterAll(() => vi.unstubAllGlobals());

test('the codec needs hashing, the curve and the texts of bytes, and nothing else', () => {
  const folder = new URL('../../packages/codec/src/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(30);
  for (const file of files) {
    const source = readFileSync(new URL(file, folder), 'utf8');
    for (const [, name] of source.matchAll(/from '([^']+)'/g)) {
      const server = file === 'hash.ts' && name === 'node:crypto';
      expect(
        server || /^(#hash$|\.{1,2}\/([a-z-]+\/)?[a-z0-9-]+\.ts$|@noble\/(curves|hashes)\/|@scure\/base$)/.test(name!),
        `${file}: ${name}`,
      ).toBe(true);
    }
  }
});

test('without the runtime of a server, with the hashes of a browser, answers are the same', async () => {
  const random = new Random(55);
  const samples = Array.from({ length: 300 }, () => {
    const transaction = generate.transaction(random);
    const bytes = encodeTransaction(transaction);
    const args = transaction.payload.type === 'contract_call' ? transaction.payload.args : [];
    return { bytes, hex: toHex(bytes), id: toHex(transactionId(bytes)), sender: senderAddress(transaction), args };
  });
  const texts = samples.map(sample => sample.args.map(reprClarity));

  vi.resetModules();
  vi.doMock('@cairn-stacks/codec/hash', () => import('@cairn-stacks/codec/hash-browser'));
  vi.stubGlobal('Buffer', undefined);
  const hex = await import('@cairn-stacks/codec/hex');
  const repr = await import('@cairn-stacks/codec/clarity/repr');
  const codec = await import('@cairn-stacks/codec/transaction/transaction');
  for (const [i, { bytes, id, sender, args, hex: text }] of samples.entries()) {
    const transaction = codec.decodeTransaction(hex.fromHex(text));
    expect(hex.toHex(codec.encodeTransaction(transaction))).toBe(text);
    expect(hex.toHex(codec.transactionId(bytes))).toBe(id);
    expect(codec.senderAddress(transaction)).toBe(sender);
    expect(args.map(repr.reprClarity)).toEqual(texts[i]);
  }
});
