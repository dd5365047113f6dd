import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, test, vi } from 'vitest';
import { reprClarity } from '../../src/codec/clarity/repr.ts';
import { toHex } from '../../src/codec/hex.ts';
import { encodeTransaction, senderAddress, transactionId } from '../../src/codec/transaction/transaction.ts';
import * as generate from './generate.ts';
import { Random } from './random.ts';

afterAll(() => vi.unstubAllGlobals());

test('the codec needs hashing, the curve and the texts of bytes, and nothing else', () => {
  const folder = new URL('../../src/codec/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(30);
  for (const file of files) {
    const source = readFileSync(new URL(file, folder), 'utf8');
    for (const [, name] of source.matchAll(/from '([^']+)'/g)) {
      const server = file === 'hash.ts' && name === 'node:crypto';
      expect(
        server || /^(\.{1,2}\/([a-z]+\/)?[a-z0-9-]+\.ts$|@noble\/(curves|hashes)\/|@scure\/base$)/.test(name!),
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
  vi.doMock('../../src/codec/hash.ts', () => import('../../src/codec/hash-browser.ts'));
  vi.stubGlobal('Buffer', undefined);
  const hex = await import('../../src/codec/hex.ts');
  const repr = await import('../../src/codec/clarity/repr.ts');
  const codec = await import('../../src/codec/transaction/transaction.ts');
  for (const [i, { bytes, id, sender, args, hex: text }] of samples.entries()) {
    const transaction = codec.decodeTransaction(hex.fromHex(text));
    expect(hex.toHex(codec.encodeTransaction(transaction))).toBe(text);
    expect(hex.toHex(codec.transactionId(bytes))).toBe(id);
    expect(codec.senderAddress(transaction)).toBe(sender);
    expect(args.map(repr.reprClarity)).toEqual(texts[i]);
  }
});
