import { CodecError } from '../error.ts';
import { sha256 } from '../hash.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Text of a version byte and a payload with the four-byte checksum of Bitcoin. */
export function encodeBase58Check(version: number, payload: Uint8Array): string {
  const body = new Uint8Array(payload.length + 5);
  body[0] = version;
  body.set(payload, 1);
  body.set(checksum(body.subarray(0, payload.length + 1)), payload.length + 1);
  let number = 0n;
  for (const byte of body) number = (number << 8n) | BigInt(byte);
  let text = '';
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)]! + text;
  for (let i = 0; i < body.length && body[i] === 0; i++) text = `1${text}`;
  return text;
}

/** Reads a version byte and a payload of `size` bytes. */
export function decodeBase58Check(text: string, size: number): { version: number; payload: Uint8Array } {
  // 58 digits carry 5.86 bits each: longer texts cannot hold so few bytes, and are not worth the arithmetic.
  if (text.length > (size + 5) * 1.4 + 1) throw new CodecError('base58 text too long', text.length);
  let number = 0n;
  for (let i = 0; i < text.length; i++) {
    const digit = ALPHABET.indexOf(text[i]!);
    if (digit < 0) throw new CodecError('not a base58 digit', i);
    number = number * 58n + BigInt(digit);
  }
  const body = new Uint8Array(size + 5);
  for (let i = body.length - 1; i >= 0; i--, number >>= 8n) body[i] = Number(number & 0xffn);
  let zeros = 0;
  while (zeros < body.length && body[zeros] === 0) zeros++;
  let ones = 0;
  while (text[ones] === '1') ones++;
  if (number !== 0n || zeros !== ones) throw new CodecError(`base58 text does not hold ${size + 5} bytes`, 0);
  const expected = checksum(body.subarray(0, size + 1));
  if (expected.some((byte, i) => byte !== body[size + 1 + i])) throw new CodecError('wrong base58 checksum', size + 1);
  return { version: body[0]!, payload: body.subarray(1, size + 1) };
}

function checksum(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes)).subarray(0, 4);
}
