import { AddressVersion } from '../address/c32.ts';
import type { Principal } from '../address/principal.ts';
import { UnknownCodeError } from '../error.ts';
import type { Reader } from '../reader.ts';
import type { Writer } from '../writer.ts';

/** How the signer hash was made from keys (SIP-005, SIP-027). */
export const HashMode = {
  p2pkh: 0x00,
  p2sh: 0x01,
  p2wpkhP2sh: 0x02,
  p2wshP2sh: 0x03,
  /** Signatures in any order (SIP-027). */
  p2shNonSequential: 0x05,
  /** Signatures in any order (SIP-027). */
  p2wshP2shNonSequential: 0x07,
} as const;

/** Hash modes of one key. */
export type SingleSigHashMode = 0 | 2;
/** Hash modes of several keys. */
export type MultiSigHashMode = 1 | 3 | 5 | 7;
/** Which form of the public key was hashed. */
export type KeyEncoding = 'compressed' | 'uncompressed';

type Common = { signer: Uint8Array; nonce: bigint; fee: bigint };

/** Signer with one key, fee and nonce. */
export type SingleSigCondition = Common & {
  hashMode: SingleSigHashMode;
  keyEncoding: KeyEncoding;
  /** Recovery id ‖ r ‖ s; 65 bytes. */
  signature: Uint8Array;
};

/** Signers with several keys, fee and nonce. */
export type MultiSigCondition = Common & {
  hashMode: MultiSigHashMode;
  fields: AuthField[];
  signaturesRequired: number;
};

/** Signers, fee and nonce. */
export type SpendingCondition = SingleSigCondition | MultiSigCondition;

/** A part of a multi-signature: a signature, or the key of a participant who did not sign (always compressed, 33 bytes). */
export type AuthField = { type: 'public_key' | 'signature'; keyEncoding: KeyEncoding; bytes: Uint8Array };

/** Whether the condition is of one key. */
export function isSingleSig(condition: SpendingCondition): condition is SingleSigCondition {
  return condition.hashMode === HashMode.p2pkh || condition.hashMode === HashMode.p2wpkhP2sh;
}

/** The account a condition speaks for, on the network of the transaction version. */
export function signerPrincipal(version: number, condition: SpendingCondition): Principal {
  return { version: signerAddressVersion(version, condition.hashMode), hash: condition.signer, name: undefined };
}

/** The address version of a hash mode; only bit 7 of the transaction version counts. */
export function signerAddressVersion(version: number, hashMode: number): number {
  const testnet = (version & 0x80) !== 0;
  if (hashMode === HashMode.p2pkh) return testnet ? AddressVersion.testnetSingleSig : AddressVersion.mainnetSingleSig;
  return testnet ? AddressVersion.testnetMultiSig : AddressVersion.mainnetMultiSig;
}

/** Reads a spending condition; counts and key encodings that only the chain's rules restrict are taken as they are. */
export function readSpendingCondition(reader: Reader): SpendingCondition {
  const hashMode = reader.u8();
  switch (hashMode) {
    case HashMode.p2pkh:
    case HashMode.p2wpkhP2sh:
      return {
        hashMode,
        signer: reader.take(20),
        nonce: reader.u64(),
        fee: reader.u64(),
        keyEncoding: readKeyEncoding(reader),
        signature: reader.take(65),
      };
    case HashMode.p2sh:
    case HashMode.p2wshP2sh:
    case HashMode.p2shNonSequential:
    case HashMode.p2wshP2shNonSequential:
      return {
        hashMode,
        signer: reader.take(20),
        nonce: reader.u64(),
        fee: reader.u64(),
        fields: readFields(reader),
        signaturesRequired: reader.u16(),
      };
    default:
      throw new UnknownCodeError('hash mode', hashMode, reader.offset - 1);
  }
}

function readKeyEncoding(reader: Reader): KeyEncoding {
  const code = reader.u8();
  if (code > 1) throw new UnknownCodeError('key encoding', code, reader.offset - 1);
  return code === 0 ? 'compressed' : 'uncompressed';
}

function readFields(reader: Reader): AuthField[] {
  const count = reader.count(34);
  const fields: AuthField[] = [];
  for (let i = 0; i < count; i++) {
    const id = reader.u8();
    if (id > 3) throw new UnknownCodeError('authorization field', id, reader.offset - 1);
    fields.push({
      type: id < 2 ? 'public_key' : 'signature',
      keyEncoding: (id & 1) === 0 ? 'compressed' : 'uncompressed',
      bytes: reader.take(id < 2 ? 33 : 65),
    });
  }
  return fields;
}

/** Writes a spending condition. */
export function writeSpendingCondition(writer: Writer, condition: SpendingCondition): void {
  writer.u8(condition.hashMode).fixed(condition.signer, 20).u64(condition.nonce).u64(condition.fee);
  if (isSingleSig(condition)) {
    writer.u8(keyEncodingByte(condition.keyEncoding)).fixed(condition.signature, 65);
    return;
  }
  writer.u32(condition.fields.length);
  for (const { type, keyEncoding, bytes } of condition.fields) {
    const signature = type === 'signature';
    writer.u8((signature ? 2 : 0) + keyEncodingByte(keyEncoding)).fixed(bytes, signature ? 65 : 33);
  }
  writer.u16(condition.signaturesRequired);
}

/** The byte of a key encoding. */
export function keyEncodingByte(encoding: KeyEncoding): number {
  return encoding === 'compressed' ? 0 : 1;
}
