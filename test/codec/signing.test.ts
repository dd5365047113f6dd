import { uint } from '@cairn-stacks/codec/clarity/build';
import { CodecError } from '@cairn-stacks/codec/error';
import { bareHex, fromHex, toHex } from '@cairn-stacks/codec/hex';
import { addressOf, type PrivateKey, parsePrivateKey, publicKeyOf, signerHash } from '@cairn-stacks/codec/keys';
import {
  buildTransaction,
  callPayload,
  multiSig,
  singleSig,
  transferPayload,
} from '@cairn-stacks/codec/transaction/build';
import { initialSighash, postsignSighash, presignSighash } from '@cairn-stacks/codec/transaction/sighash';
import {
  appendPublicKey,
  signMultiSig,
  signOrigin,
  signSponsor,
  withSponsor,
} from '@cairn-stacks/codec/transaction/signing';
import { isSingleSig, type MultiSigHashMode } from '@cairn-stacks/codec/transaction/spending-condition';
import {
  ChainId,
  decodeTransaction,
  encodeTransaction,
  senderAddress,
  sponsorAddress,
  type Transaction,
  TransactionVersion,
} from '@cairn-stacks/codec/transaction/transaction';
import { isLowS, recoverSigners, verifyTransaction } from '@cairn-stacks/codec/transaction/verification';
import * as stacks from '@stacks/transactions';
import { describe, expect, test } from 'vitest';
import { needRecording } from '../support/recordings.ts';
import { readDatasets } from './datasets.ts';

const KEYS = [
  'edf9aee84d9b7abc145504dde6726c64f369d37ee34ded868fabd876c26570bc01',
  '0d2f965b472a82efd5a96e6513c8b9f7edc725d5c96c7d35d6c722cedeb80d1b01',
  '318a0a7f1b3d7d2f0c0a8a7f3a6c6b5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a0b01',
];
const RECIPIENT = 'SP000000000000000000002Q6VF78';
const mainnet = { version: TransactionVersion.mainnet, chainId: ChainId.mainnet };
const payload = transferPayload(RECIPIENT, 12345n, 'memo');
const keys = KEYS.map(parsePrivateKey);
const [alice, bob, carol] = keys as [PrivateKey, PrivateKey, PrivateKey];
const hexOf = (transaction: Transaction) => bareHex(encodeTransaction(transaction));
const uncompressed = ({ secret }: PrivateKey): PrivateKey => ({ secret, keyEncoding: 'uncompressed' });

const theirOptions = { recipient: RECIPIENT, amount: 12345n, memo: 'memo', nonce: 7n, fee: 300n } as const;
const spending = { nonce: 7n, fee: 300n };

function theirSignerHash(mode: stacks.AddressHashMode, required: number, publicKeys: Uint8Array[]): string {
  const wires = publicKeys.map(key => stacks.createStacksPublicKey(bareHex(key)));
  return stacks.addressFromPublicKeys(stacks.AddressVersion.MainnetMultiSig, mode, required, wires).hash160;
}

/** A transaction of several keys as the other library makes it. */
async function theirMultiSig(sequential: boolean, signers: boolean[]) {
  const publicKeys = keys.map(key => bareHex(publicKeyOf(key)));
  const unsigned = await stacks.makeUnsignedSTXTokenTransfer({
    ...theirOptions,
    publicKeys,
    numSignatures: 2,
    useNonSequentialMultiSig: !sequential,
    network: 'mainnet',
  });
  const signer = new stacks.TransactionSigner(unsigned);
  signers.forEach((signs, i) => {
    if (signs) signer.signOrigin(KEYS[i]!);
    else signer.appendOrigin(publicKeys[i]!);
  });
  return signer.transaction.serialize();
}

describe('one key', () => {
  test('signs as @stacks/transactions does, to the byte', async () => {
    const theirs = await stacks.makeSTXTokenTransfer({ ...theirOptions, senderKey: KEYS[0]!, network: 'mainnet' });
    const ours = signOrigin(
      buildTransaction({ ...mainnet, origin: singleSig(publicKeyOf(alice), spending), payload }),
      alice,
    );
    expect(hexOf(ours)).toBe(theirs.serialize());
    expect(verifyTransaction(ours, { requireLowS: true })).toEqual({ valid: true });
    expect(recoverSigners(ours, 'origin')).toEqual([publicKeyOf(alice)]);
    expect(senderAddress(ours)).toBe(stacks.getAddressFromPrivateKey(KEYS[0]!, 'mainnet'));
    expect(addressOf(alice, 0x80)).toBe(stacks.getAddressFromPrivateKey(KEYS[0]!, 'testnet'));
  });

  test('in uncompressed form signs as @stacks/transactions does', async () => {
    const key = parsePrivateKey(KEYS[0]!.slice(0, 64));
    expect(key).toEqual(uncompressed(alice));
    const theirs = await stacks.makeSTXTokenTransfer({
      ...theirOptions,
      senderKey: KEYS[0]!.slice(0, 64),
      network: 'mainnet',
    });
    const ours = signOrigin(
      buildTransaction({ ...mainnet, origin: singleSig(publicKeyOf(key), spending), payload }),
      key,
    );
    expect(hexOf(ours)).toBe(theirs.serialize());
    expect(verifyTransaction(ours)).toEqual({ valid: true });
  });

  test('signs for a segwit address in a script', () => {
    const origin = singleSig(publicKeyOf(alice), spending, 2);
    const signed = signOrigin(buildTransaction({ ...mainnet, origin, payload }), alice);
    expect(verifyTransaction(signed)).toEqual({ valid: true });
    expect(senderAddress(signed)).toMatch(/^SM/);
    expect(bareHex(origin.signer)).toBe(theirSignerHash(stacks.AddressHashMode.P2WPKH, 1, [publicKeyOf(alice)]));
    const wrong = singleSig(publicKeyOf(uncompressed(alice)), spending, 2);
    expect(
      verifyTransaction(signOrigin(buildTransaction({ ...mainnet, origin: wrong, payload }), uncompressed(alice))),
    ).toEqual({ valid: false, role: 'origin', reason: 'segwit keys are compressed' });
  });

  test('has a signature with a low S, every time', () => {
    for (let nonce = 0n; nonce < 40n; nonce++) {
      const origin = singleSig(publicKeyOf(alice), { nonce, fee: 1n });
      const { auth } = signOrigin(buildTransaction({ ...mainnet, origin, payload }), alice);
      expect(isSingleSig(auth.origin) && isLowS(auth.origin.signature)).toBe(true);
    }
  });
});

describe('a sponsor', () => {
  test('signs after the origin as @stacks/transactions does, to the byte', async () => {
    const call = {
      contractAddress: RECIPIENT,
      contractName: 'pox',
      functionName: 'f',
      functionArgs: [stacks.uintCV(1)],
      senderKey: KEYS[0]!,
      nonce: 3n,
      fee: 0n,
      network: 'mainnet' as const,
      sponsored: true,
    };
    const theirs = await stacks.sponsorTransaction({
      transaction: await stacks.makeContractCall(call),
      sponsorPrivateKey: KEYS[1]!,
      fee: 500n,
      sponsorNonce: 9n,
      network: 'mainnet',
    });
    const built = buildTransaction({
      ...mainnet,
      origin: singleSig(publicKeyOf(alice), { nonce: 3n, fee: 0n }),
      sponsor: singleSig(new Uint8Array(33), { nonce: 0n, fee: 0n }),
      payload: callPayload(`${RECIPIENT}.pox`, 'f', [uint(1)]),
    });
    // The origin need not know its sponsor: any stands there while it signs.
    const sponsored = withSponsor(signOrigin(built, alice), singleSig(publicKeyOf(bob), { nonce: 9n, fee: 500n }));
    const ours = signSponsor(sponsored, bob);
    expect(hexOf(ours)).toBe(theirs.serialize());
    expect(verifyTransaction(ours)).toEqual({ valid: true });
    expect(recoverSigners(ours, 'sponsor')).toEqual([publicKeyOf(bob)]);
    expect(sponsorAddress(ours)).toBe(addressOf(bob, 0));
    expect(verifyTransaction(signSponsor(sponsored, carol))).toMatchObject({ valid: false, role: 'sponsor' });
  });

  test('may be of several keys, whatever the origin is', () => {
    for (const originMode of [0, 1, 5] as const) {
      for (const sponsorMode of [1, 3, 5, 7] as const) {
        const publicKeys = keys.map(publicKeyOf);
        const origin =
          originMode === 0 ? singleSig(publicKeys[0]!, spending) : multiSig(publicKeys, 2, spending, originMode);
        const sponsor = multiSig(publicKeys, 2, { nonce: 1n, fee: 9n }, sponsorMode);
        const built = buildTransaction({ ...mainnet, origin, sponsor, payload });
        const participants = [alice, { publicKey: publicKeys[1]! }, carol];
        const byOrigin = originMode === 0 ? signOrigin(built, alice) : signMultiSig(built, 'origin', participants);
        const signed = signMultiSig(byOrigin, 'sponsor', participants);
        expect(verifyTransaction(signed)).toEqual({ valid: true });
        expect(recoverSigners(signed, 'sponsor')).toEqual(publicKeys);
        expect(verifyTransaction(decodeTransaction(encodeTransaction(signed)))).toEqual({ valid: true });
      }
    }
  });
});

describe('several keys', () => {
  test.each([
    ['in sequence', 1],
    ['in any order', 5],
  ] as const)('sign %s as @stacks/transactions does, to the byte', async (_, mode) => {
    const publicKeys = keys.map(publicKeyOf);
    for (const signers of [
      [true, true, false],
      [true, false, true],
      [false, true, true],
    ]) {
      const origin = multiSig(publicKeys, 2, spending, mode);
      const participants = keys.map((key, i) => (signers[i] ? key : { publicKey: publicKeys[i]! }));
      const ours = signMultiSig(buildTransaction({ ...mainnet, origin, payload }), 'origin', participants);
      expect(hexOf(ours)).toBe(await theirMultiSig(mode === 1, signers));
      expect(verifyTransaction(ours, { requireLowS: true })).toEqual({ valid: true });
      expect(recoverSigners(ours, 'origin')).toEqual(publicKeys);
    }
  });

  test('sign in every mode, compressed or not where that is allowed', () => {
    for (const mode of [1, 3, 5, 7] as MultiSigHashMode[]) {
      for (const form of [keys, keys.map(uncompressed)]) {
        const origin = multiSig(form.map(publicKeyOf), 3, spending, mode);
        const signed = signMultiSig(buildTransaction({ ...mainnet, origin, payload }), 'origin', form);
        const allowed = form === keys || mode === 1 || mode === 5;
        expect(verifyTransaction(signed).valid).toBe(allowed);
      }
    }
  });

  test('have the signer hashes of @stacks/transactions', () => {
    const publicKeys = keys.map(publicKeyOf);
    for (const required of [1, 2, 3]) {
      expect(bareHex(signerHash(1, publicKeys, required))).toBe(
        theirSignerHash(stacks.AddressHashMode.P2SH, required, publicKeys),
      );
      expect(bareHex(signerHash(3, publicKeys, required))).toBe(
        theirSignerHash(stacks.AddressHashMode.P2WSH, required, publicKeys),
      );
    }
  });

  test('must be enough: exactly so in sequence, at least so in any order', () => {
    const publicKeys = keys.map(publicKeyOf);
    for (const [mode, three] of [
      [1, false],
      [5, true],
    ] as const) {
      const built = buildTransaction({ ...mainnet, origin: multiSig(publicKeys, 2, spending, mode), payload });
      const rest = publicKeys.slice(1).map(publicKey => ({ publicKey }));
      expect(verifyTransaction(signMultiSig(built, 'origin', [alice, ...rest])).valid).toBe(false);
      expect(verifyTransaction(signMultiSig(built, 'origin', keys)).valid).toBe(three);
    }
  });
});

describe('verification', () => {
  const signed = signOrigin(
    buildTransaction({ ...mainnet, origin: singleSig(publicKeyOf(alice), spending), payload }),
    alice,
  );

  test('refuses a transaction in which anything was changed', () => {
    const bytes = encodeTransaction(signed);
    for (let at = 0; at < bytes.length; at += 3) {
      const changed = Uint8Array.from(bytes);
      changed[at] = changed[at]! ^ 1;
      let transaction: Transaction;
      try {
        transaction = decodeTransaction(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(CodecError);
        continue;
      }
      expect(verifyTransaction(transaction).valid).toBe(false);
    }
  });

  test('refuses a high S only where the rules say so', () => {
    const { origin } = signed.auth;
    if (!isSingleSig(origin)) throw new Error('unreachable');
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = order - BigInt(toHex(origin.signature.subarray(33)));
    const signature = Uint8Array.of(
      origin.signature[0]! ^ 1,
      ...origin.signature.subarray(1, 33),
      ...fromHex(s.toString(16).padStart(64, '0')),
    );
    const high: Transaction = { ...signed, auth: { type: 'standard', origin: { ...origin, signature } } };
    expect(verifyTransaction(high)).toEqual({ valid: true });
    expect(verifyTransaction(high, { requireLowS: true })).toMatchObject({
      valid: false,
      reason: 'a signature has a high S',
    });
  });

  test('accepts every recorded transaction that a key signed', t => {
    needRecording(t);
    let verified = 0;
    for (const raw of readDatasets().transactions.keys()) {
      const transaction = decodeTransaction(fromHex(raw));
      const { origin } = transaction.auth;
      // Boot contracts are deployed by the node itself, without a signature.
      if (isSingleSig(origin) && origin.signature.every(byte => byte === 0)) continue;
      expect(verifyTransaction(transaction)).toEqual({ valid: true });
      verified++;
    }
    expect(verified).toBeGreaterThan(50);
  });

  test('what has no sponsor, no fields or no valid key says so', () => {
    expect(() => signSponsor(signed, bob)).toThrow(CodecError);
    expect(() => recoverSigners(signed, 'sponsor')).toThrow(CodecError);
    expect(() => appendPublicKey(signed, 'origin', publicKeyOf(bob))).toThrow(CodecError);
    expect(() => appendPublicKey(signed, 'origin', new Uint8Array(33))).toThrow(CodecError);
    expect(() => parsePrivateKey('00'.repeat(32))).toThrow(CodecError);
    expect(() => parsePrivateKey('11'.repeat(33))).toThrow(CodecError);
  });
});

test('the steps of signing are those of @stacks/transactions', () => {
  const initial = initialSighash(
    buildTransaction({ ...mainnet, origin: singleSig(publicKeyOf(alice), spending), payload }),
  );
  const presign = presignSighash(initial, 'origin', 300n, 7n);
  expect(bareHex(presign)).toBe(stacks.sigHashPreSign(bareHex(initial), stacks.AuthType.Standard, 300n, 7n));
  const next = stacks.nextSignature(bareHex(initial), stacks.AuthType.Standard, 300n, 7n, KEYS[0]!);
  expect(bareHex(postsignSighash(presign, 'compressed', fromHex(next.nextSig)))).toBe(next.nextSigHash);
});
