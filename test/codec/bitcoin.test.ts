import { createHash } from 'node:crypto';
import { outputScript } from '@cairn-stacks/codec/bitcoin/output-script';
import { decodeBitcoinTransaction } from '@cairn-stacks/codec/bitcoin/transaction';
import { CodecError } from '@cairn-stacks/codec/error';
import { bareHex, fromHex } from '@cairn-stacks/codec/hex';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** The first transaction of Bitcoin. */
const first =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e' +
  '2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000' +
  '434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d' +
  '5fac00000000';
/** The signed transaction of the first example of BIP-143, in parts: what its id leaves out is the flag and the witness. */
const bip143 = {
  version: '01000000',
  flag: '0001',
  body:
    '02fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf3' +
    '37f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa8' +
    '9e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d' +
    '000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac',
  witness:
    '000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a' +
    '8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357',
  lockTime: '11000000',
};

test('transactions of Bitcoin have their known ids, inputs and outputs', () => {
  const coinbase = decodeBitcoinTransaction(fromHex(first));
  expect(bareHex(coinbase.id)).toBe('4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b');
  expect(coinbase.outputs.map(({ amount }) => amount)).toEqual([5_000_000_000n]);

  const { version, flag, body, witness, lockTime } = bip143;
  const signed = decodeBitcoinTransaction(fromHex(version + flag + body + witness + lockTime));
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  const id = sha256(sha256(Buffer.from(version + body + lockTime, 'hex'))).reverse();
  expect(bareHex(signed.id)).toBe(id.toString('hex'));
  expect(decodeBitcoinTransaction(fromHex(version + body + lockTime)).id).toEqual(signed.id);
  expect(signed.inputs.map(({ txId, vout }) => [bareHex(txId), vout])).toEqual([
    ['9f96ade4b41d5433f4eda31e1738ec2b36f6e7d1420d94a6af99801a88f7f7ff', 0],
    ['8ac60eb9575db5b2d987e29f301b5b819ea83a5c6579d282d189cc04b8e151ef', 1],
  ]);
  expect(signed.outputs.map(({ amount, script }) => [amount, bareHex(script)])).toEqual([
    [112_340_000n, '76a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac'],
    [223_450_000n, '76a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac'],
  ]);
});

test('bytes that are no transaction of Bitcoin are a CodecError, and cost no more than they have', () => {
  const { version, flag, body, witness, lockTime } = bip143;
  const whole = version + flag + body + witness + lockTime;
  for (let cut = 0; cut < whole.length; cut += 2)
    expect(() => decodeBitcoinTransaction(fromHex(whole.slice(0, cut)))).toThrow(CodecError);
  for (const text of [`${whole}00`, `${version}0002${body}`, `${version}feffffffff`, `${version}ffffffffffffffffff`])
    expect(() => decodeBitcoinTransaction(fromHex(text))).toThrow(CodecError);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      try {
        decodeBitcoinTransaction(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(CodecError);
      }
    }),
  );
});

test('each version of a reward address has the output script that its Bitcoin address stands for', () => {
  const [short, long] = [20, 32].map(size => Uint8Array.from({ length: size }, (_, i) => i));
  const scripts = [0, 1, 2, 3, 4, 5, 6].map(version =>
    bareHex(outputScript({ version, hash: version < 5 ? short! : long! })),
  );
  const [a, b] = [bareHex(short!), bareHex(long!)];
  const script = `a914${a}87`;
  expect(scripts).toEqual([`76a914${a}88ac`, script, script, script, `0014${a}`, `0020${b}`, `5120${b}`]);
  expect(() => outputScript({ version: 7, hash: long! })).toThrow('unknown reward address version 7');
  expect(() => outputScript({ version: 6, hash: short! })).toThrow('32 hash bytes expected');
});
