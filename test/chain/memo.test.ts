import { expect, test } from 'vitest';
import { memoLine } from '../../src/chain/memo.ts';
import { renderPrincipalNonces } from '../../src/read/principals/nonces-schema.ts';

test.each([
  ['plain text', 'thanks', 'thanks'],
  ['zeros at the end', 'UhOh \0\0\0', 'UhOh'],
  ['control characters inside', 'a\u0007b\u001b[31mc', 'a b [31mc'],
  ['runs of white space', '  a \t\r\n b ', 'a b'],
  ['other scripts', 'für 山', 'für 山'],
  ['nothing but zeros', '\0\0', ''],
])('a memo of %s is one line', (_, text, line) => {
  expect(memoLine(Buffer.from(text))).toBe(line);
});

test('bytes that are no UTF-8 are a space', () => {
  expect(memoLine(Uint8Array.of(0x61, 0xff, 0xfe, 0x62, 0xc3))).toBe('a b');
});

test.each([
  ['no pending ones', 4, [], 5, null, [], []],
  ['the next one', 4, [5], 6, 5, [], []],
  ['a gap', 4, [5, 8], 9, 8, [5], [7, 6]],
  ['one that is used up', 4, [3, 6], 7, 6, [], [5]],
  ['no confirmed one', null, [0, 3], 4, 3, [], []],
] as const)('nonces with %s', (_, executed, pending, next, last, between, missing) => {
  expect(renderPrincipalNonces(executed, pending)).toEqual({
    next_nonce: next,
    last_confirmed_nonce: executed,
    mempool: { last_nonce: last, pending_nonces: between, missing_nonces: missing },
  });
});
