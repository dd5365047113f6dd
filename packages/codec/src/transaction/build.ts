import { parsePrincipal } from '../address/principal.ts';
import { encodeClarity } from '../clarity/encode.ts';
import type { ClarityValue } from '../clarity/value.ts';
import { CodecError } from '../error.ts';
import { signerHash } from '../keys.ts';
import { encodeUtf8 } from '../utf8.ts';
import type { Payload } from './payload.ts';
import {
  HashMode,
  type MultiSigCondition,
  type MultiSigHashMode,
  type SingleSigCondition,
  type SingleSigHashMode,
  type SpendingCondition,
} from './spending-condition.ts';
import type { Transaction } from './transaction.ts';

/** Fee and nonce of a spending condition. */
export type Spending = { nonce: bigint; fee: bigint };

/** An unsigned condition of one key. */
export function singleSig(
  publicKey: Uint8Array,
  { nonce, fee }: Spending,
  hashMode: SingleSigHashMode = HashMode.p2pkh,
): SingleSigCondition {
  return {
    hashMode,
    signer: signerHash(hashMode, [publicKey]),
    nonce,
    fee,
    keyEncoding: publicKey.length === 65 ? 'uncompressed' : 'compressed',
    signature: new Uint8Array(65),
  };
}

/** An unsigned condition of several keys. */
export function multiSig(
  publicKeys: readonly Uint8Array[],
  signaturesRequired: number,
  { nonce, fee }: Spending,
  hashMode: MultiSigHashMode = HashMode.p2sh,
): MultiSigCondition {
  return {
    hashMode,
    signer: signerHash(hashMode, publicKeys, signaturesRequired),
    nonce,
    fee,
    fields: [],
    signaturesRequired,
  };
}

/** An unsigned transaction; defaults are those of wallets: any anchor mode, deny, no post-conditions. */
export function buildTransaction(
  parts: Pick<Transaction, 'version' | 'chainId' | 'payload'> &
    Partial<Pick<Transaction, 'anchorMode' | 'postConditionMode' | 'postConditions'>> & {
      origin: SpendingCondition;
      sponsor?: SpendingCondition;
    },
): Transaction {
  const { origin, sponsor } = parts;
  return {
    version: parts.version,
    chainId: parts.chainId,
    auth: sponsor === undefined ? { type: 'standard', origin } : { type: 'sponsored', origin, sponsor },
    anchorMode: parts.anchorMode ?? 'any',
    postConditionMode: parts.postConditionMode ?? 'deny',
    postConditions: parts.postConditions ?? [],
    payload: parts.payload,
  };
}

/** A transfer of STX with a memo of at most 34 bytes. */
export function transferPayload(recipient: string, amount: bigint, memo = ''): Payload {
  const text = encodeUtf8(memo);
  if (text.length > 34) throw new CodecError('a memo has at most 34 bytes', 34);
  const bytes = new Uint8Array(34);
  bytes.set(text);
  return { type: 'token_transfer', recipient: parsePrincipal(recipient), amount, memo: bytes };
}

/** A call of a public function. */
export function callPayload(contractId: string, functionName: string, args: readonly ClarityValue[]): Payload {
  const { version, hash, name } = parsePrincipal(contractId);
  if (name === undefined) throw new CodecError('a contract has a name', contractId.length);
  return { type: 'contract_call', contract: { version, hash, name }, functionName, args: args.map(encodeClarity) };
}

/** A deploy; without a version the epoch's default applies. */
export function deployPayload(name: string, source: string, clarityVersion?: number): Payload {
  const bytes = encodeUtf8(source);
  if (clarityVersion === undefined) return { type: 'smart_contract', name, source: bytes };
  return { type: 'versioned_smart_contract', clarityVersion, name, source: bytes };
}
