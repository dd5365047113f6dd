import { addressChecksum } from '@cairn-stacks/codec/address/checksum';
import * as server from '@cairn-stacks/codec/hash';
import * as browser from '@cairn-stacks/codec/hash-browser';
import { bareHex, fromHex, toHex } from '@cairn-stacks/codec/hex';
import { expect, test } from 'vitest';
import { Random } from './random.ts';

test('the browser hashes as the server does', () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(server).sort());
  const random = new Random(7);
  for (const length of [0, 1, 20, 21, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 1000, 70_000]) {
    const bytes = random.bytes(length);
    for (const [ours, theirs] of [
      [server.sha256, browser.sha256],
      [server.sha512_256, browser.sha512_256],
      [server.hash160, browser.hash160],
    ] as const) {
      expect(bareHex(theirs(bytes))).toBe(bareHex(ours(bytes)));
    }
  }
});

test('known hashes', () => {
  const abc = new TextEncoder().encode('abc');
  // FIPS 180-4, and RIPEMD-160 of SHA-256
  expect(bareHex(server.sha512_256(abc))).toBe('53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23');
  expect(bareHex(server.sha256(abc))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(bareHex(server.hash160(abc))).toBe('bb1be98c142444d7a56aa3981c3942a978e4dc33');
});

test('the checksum of an address is that of two SHA-256', () => {
  const random = new Random(8);
  for (let i = 0; i < 2000; i++) {
    const bytes = random.bytes(21);
    const expected = Buffer.from(server.sha256(server.sha256(bytes))).readUInt32BE(0);
    expect(addressChecksum(bytes[0]!, bytes, 1)).toBe(expected);
  }
});

test('hex survives both ways, short and long, with prefix and without', () => {
  const random = new Random(9);
  for (let length = 0; length < 80; length++) {
    const bytes = random.bytes(length);
    expect(toHex(bytes)).toBe(`0x${Buffer.from(bytes).toString('hex')}`);
    expect(fromHex(toHex(bytes))).toEqual(bytes);
    expect(fromHex(bareHex(bytes).toUpperCase())).toEqual(bytes);
  }
});
