import { poxToBitcoinAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { taprootOutputKey } from '@cairn-stacks/codec/address/taproot';
import { CodecError } from '@cairn-stacks/codec/error';
import { expect, test } from 'vitest';

const key = (x: string, prefix = '02') => Buffer.from(prefix + x, 'hex');

test('an internal key without a script tree has the output key and the address of BIP-341', () => {
  const hash = taprootOutputKey(key('d6889cb081036e0faefa3a35157ad71086b123b2b144b649798b494c300a961d'));
  expect(Buffer.from(hash).toString('hex')).toBe('53a1f6e454df1aa2776a2814a721372d6258050de330b3c6d10ee8f4e0dda343');
  expect(poxToBitcoinAddress({ version: 6, hash }, 'mainnet')).toBe(
    'bc1p2wsldez5mud2yam29q22wgfh9439spgduvct83k3pm50fcxa5dps59h4z5',
  );
});

test('only the x coordinate of an internal key counts', () => {
  const x = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
  expect(taprootOutputKey(key(x, '03'))).toEqual(taprootOutputKey(key(x)));
});

test('what is no point of the curve is refused', () => {
  for (const bytes of [key('ff'.repeat(32)), key('00'.repeat(32)), key('02'), new Uint8Array(0)]) {
    expect(() => taprootOutputKey(bytes)).toThrow(CodecError);
  }
});
