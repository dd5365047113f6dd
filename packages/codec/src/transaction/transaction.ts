import { sha512_256 } from '#hash';
import { formatPrincipal, type Principal } from '../address/principal.ts';
import { UnknownCodeError } from '../error.ts';
import { Reader, type UnknownName } from '../reader.ts';
import { Writer } from '../writer.ts';
import { type Payload, readPayload, writePayload } from './payload.ts';
import { type PostCondition, readPostCondition, readPostConditions, writePostConditions } from './post-condition.ts';
import {
  HashMode,
  readSpendingCondition,
  type SpendingCondition,
  signerPrincipal,
  writeSpendingCondition,
} from './spending-condition.ts';

const none = new Uint8Array(0);

export const ANCHOR_MODES = ['on_chain_only', 'off_chain_only', 'any'] as const;
export const POST_CONDITION_MODES = ['allow', 'deny', 'originator'] as const;

/** Where a transaction may be mined; without meaning since epoch 2.5. */
export type AnchorMode = (typeof ANCHOR_MODES)[number];
/** What happens to transfers that no post-condition covers. */
export type PostConditionMode = (typeof POST_CONDITION_MODES)[number];

/** The authorization of a transaction: its origin, and a sponsor if another account pays. */
export type Auth =
  | { type: 'standard'; origin: SpendingCondition; sponsor?: undefined }
  | { type: 'sponsored'; origin: SpendingCondition; sponsor: SpendingCondition };

/** A transaction (SIP-005); byte fields are views of the bytes it was decoded from. */
export type Transaction = {
  /** Only bit 7 counts: clear is mainnet, set is testnet. */
  version: number;
  chainId: number;
  auth: Auth;
  anchorMode: AnchorMode | UnknownName;
  postConditionMode: PostConditionMode | UnknownName;
  postConditions: PostCondition[];
  payload: Payload;
  /** Codes without a known meaning in it; only where these were tolerated. */
  unknown?: { what: string; code: number }[];
};

/** Versions of transactions. */
export const TransactionVersion = { mainnet: 0x00, testnet: 0x80 } as const;

/** Chain ids of the public networks. */
export const ChainId = { mainnet: 0x0000_0001, testnet: 0x8000_0000 } as const;

/** Decodes exactly one transaction: bytes left over are an error. */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  const reader = new Reader(bytes);
  const transaction = readTransaction(reader);
  reader.end();
  return transaction;
}

/**
 * Decodes a transaction that a node has accepted and that may be newer than this program. A code without a known meaning
 * is listed; if the layout after it is unknown, the rest stays bytes. Broken bytes are an error in any case.
 */
export function decodeAccepted(bytes: Uint8Array): Transaction {
  try {
    return decodeTransaction(bytes);
  } catch (error) {
    if (!(error instanceof UnknownCodeError)) throw error;
    return readNewer(bytes);
  }
}

function readNewer(bytes: Uint8Array): Transaction {
  const reader = new Reader(bytes);
  const unknown: NonNullable<Transaction['unknown']> = [];
  reader.tolerated = unknown;
  const transaction: Transaction = {
    version: reader.u8(),
    chainId: reader.u32(),
    auth: { type: 'standard', origin: likelyOrigin(bytes) },
    anchorMode: 'any',
    postConditionMode: 'allow',
    postConditions: [],
    payload: { type: 'unknown', id: -1, bytes: bytes.subarray(reader.offset) },
    unknown,
  };
  let rest = reader.offset;
  const read = <T>(part: (from: Reader) => T): T => {
    rest = reader.offset;
    return part(reader);
  };
  try {
    transaction.auth = read(readAuth);
    transaction.anchorMode = readMode(reader, ANCHOR_MODES, 'anchor mode');
    transaction.postConditionMode = readMode(reader, POST_CONDITION_MODES, 'post-condition mode');
    for (let left = reader.count(1); left > 0; left--) transaction.postConditions.push(read(readPostCondition));
    transaction.payload = { type: 'unknown', id: bytes[reader.offset] ?? -1, bytes: none };
    transaction.payload = read(readPayload);
    reader.end();
    return transaction;
  } catch (error) {
    if (!(error instanceof UnknownCodeError)) throw error;
    unknown.push({ what: error.what, code: error.code });
    const id = transaction.payload.type === 'unknown' ? transaction.payload.id : -1;
    return { ...transaction, payload: { type: 'unknown', id, bytes: bytes.subarray(rest) } };
  }
}

/** Every condition so far begins with a hash mode, a signer, a nonce and a fee: a newer one is read alike. */
function likelyOrigin(bytes: Uint8Array): SpendingCondition {
  const reader = new Reader(bytes);
  reader.skip(6);
  const hashMode = reader.u8() === HashMode.p2pkh ? HashMode.p2pkh : HashMode.p2wpkhP2sh;
  const [signer, nonce, fee] = [reader.take(20), reader.u64(), reader.u64()];
  return { hashMode, signer, nonce, fee, keyEncoding: 'compressed', signature: none };
}

/** Reads one transaction and stops just after it. */
export function readTransaction(reader: Reader): Transaction {
  return {
    version: reader.u8(),
    chainId: reader.u32(),
    auth: readAuth(reader),
    anchorMode: readMode(reader, ANCHOR_MODES, 'anchor mode'),
    postConditionMode: readMode(reader, POST_CONDITION_MODES, 'post-condition mode'),
    postConditions: readPostConditions(reader),
    payload: readPayload(reader),
  };
}

function readAuth(reader: Reader): Auth {
  const type = reader.u8();
  if (type === 4) return { type: 'standard', origin: readSpendingCondition(reader) };
  if (type === 5) {
    return { type: 'sponsored', origin: readSpendingCondition(reader), sponsor: readSpendingCondition(reader) };
  }
  throw new UnknownCodeError('authorization type', type, reader.offset - 1);
}

function readMode<T>(reader: Reader, modes: readonly T[], what: string): T | UnknownName {
  const code = reader.u8();
  return modes[code - 1] ?? reader.unknownCode(what, code);
}

/** The bytes of a transaction. */
export function encodeTransaction(transaction: Transaction): Uint8Array {
  const writer = new Writer(512);
  writeTransaction(writer, transaction);
  return writer.finish();
}

/** Appends the bytes of a transaction. */
export function writeTransaction(writer: Writer, transaction: Transaction): void {
  const { auth } = transaction;
  writer
    .u8(transaction.version)
    .u32(transaction.chainId)
    .u8(auth.type === 'standard' ? 4 : 5);
  writeSpendingCondition(writer, auth.origin);
  if (auth.type === 'sponsored') writeSpendingCondition(writer, auth.sponsor);
  writer
    .u8((ANCHOR_MODES as readonly string[]).indexOf(transaction.anchorMode) + 1)
    .u8((POST_CONDITION_MODES as readonly string[]).indexOf(transaction.postConditionMode) + 1);
  writePostConditions(writer, transaction.postConditions);
  writePayload(writer, transaction.payload);
}

/** The id of a transaction: the hash of all its bytes. */
export function transactionId(bytes: Uint8Array): Uint8Array {
  return sha512_256(bytes);
}

/** The account that a transaction acts for. */
export function senderPrincipal(transaction: Transaction): Principal {
  return signerPrincipal(transaction.version, transaction.auth.origin);
}

/** The account that pays for a sponsored transaction. */
export function sponsorPrincipal(transaction: Transaction): Principal | undefined {
  const { sponsor } = transaction.auth;
  return sponsor === undefined ? undefined : signerPrincipal(transaction.version, sponsor);
}

/** The address of the sender. */
export function senderAddress(transaction: Transaction): string {
  return formatPrincipal(senderPrincipal(transaction));
}

/** The address of the sponsor, if there is one. */
export function sponsorAddress(transaction: Transaction): string | undefined {
  const sponsor = sponsorPrincipal(transaction);
  return sponsor === undefined ? undefined : formatPrincipal(sponsor);
}

/** The condition that pays: the sponsor's if there is one. */
export function payingCondition({ auth }: Transaction): SpendingCondition {
  return auth.type === 'sponsored' ? auth.sponsor : auth.origin;
}
