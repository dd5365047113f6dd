import { CodecError } from './error.ts';
import { sha512_256 } from './hash.ts';
import { type Payload, readPayload, writePayload } from './payload.ts';
import { type PostCondition, readPostConditions, writePostConditions } from './post-condition.ts';
import { formatPrincipal, type Principal } from './principal.ts';
import { Reader } from './reader.ts';
import {
  readSpendingCondition,
  type SpendingCondition,
  signerPrincipal,
  writeSpendingCondition,
} from './spending-condition.ts';
import { Writer } from './writer.ts';

const ANCHOR_MODES = ['on_chain_only', 'off_chain_only', 'any'] as const;
const POST_CONDITION_MODES = ['allow', 'deny', 'originator'] as const;

/** Where a transaction may be mined; without meaning since epoch 2.5. */
export type AnchorMode = (typeof ANCHOR_MODES)[number];
/** What becomes of transfers that no post-condition names. */
export type PostConditionMode = (typeof POST_CONDITION_MODES)[number];

/** Who authorizes a transaction: its origin, and a sponsor if another pays. */
export type Auth =
  | { type: 'standard'; origin: SpendingCondition; sponsor?: undefined }
  | { type: 'sponsored'; origin: SpendingCondition; sponsor: SpendingCondition };

/** A transaction (SIP-005); byte fields are views of the bytes it was decoded from. */
export type Transaction = {
  /** Only bit 7 counts: clear is mainnet, set is testnet. */
  version: number;
  chainId: number;
  auth: Auth;
  anchorMode: AnchorMode;
  postConditionMode: PostConditionMode;
  postConditions: PostCondition[];
  payload: Payload;
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
  throw new CodecError(`unknown authorization type ${type}`, reader.offset - 1);
}

function readMode<T>(reader: Reader, modes: readonly T[], what: string): T {
  const code = reader.u8();
  const mode = modes[code - 1];
  if (mode === undefined) throw new CodecError(`unknown ${what} ${code}`, reader.offset - 1);
  return mode;
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
    .u8(ANCHOR_MODES.indexOf(transaction.anchorMode) + 1)
    .u8(POST_CONDITION_MODES.indexOf(transaction.postConditionMode) + 1);
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
