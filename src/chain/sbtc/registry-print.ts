import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import {
  bytesOf,
  columnOf,
  type Fields,
  fieldsOf,
  itemsOf,
  principalOf,
  printedFields,
  textOf,
} from '../print-fields.ts';

/** A Bitcoin transaction of the signers, and the block that holds it. Hashes are in display order. */
export type Sweep = { txId: Uint8Array; burnHash: Uint8Array; burnHeight: number };

/** Who gets the bitcoin of a withdrawal. An empty version has number -1 and means 0. */
export type BitcoinRecipient = { version: number; hash: Uint8Array };

/** A print of the registry. Amounts are in satoshis. */
export type RegistryPrint =
  | { kind: 'deposit'; txId: Uint8Array; vout: number; amount: bigint; sweep: Sweep }
  | {
      kind: 'request';
      request: number;
      amount: bigint;
      maxFee: bigint;
      sender: string;
      recipient: BitcoinRecipient;
      burnHeight: number;
    }
  | { kind: 'acceptance'; request: number; fee: bigint; vout: number; sweep: Sweep }
  | { kind: 'rejection'; request: number }
  | { kind: 'rotation'; keys: Uint8Array; signer: string; aggregateKey: Uint8Array; threshold: number }
  | { kind: 'contract'; role: number; contract: string };

const hashSize = 32;
const keySize = 33;
/** Requests are counted from 1. */
const lastRequest = 2_147_483_647n;

/** Reads a print of the registry; undefined if it is none of those that the tables know, or not as the contract prints it. */
export function readRegistryPrint(value: Uint8Array): RegistryPrint | undefined {
  const fields = printedFields(value);
  if (!fields) return undefined;
  switch (textOf(fields.get('topic'))) {
    case 'completed-deposit':
      return depositOf(fields);
    case 'withdrawal-create':
      return requestOf(fields);
    case 'withdrawal-accept':
      return acceptanceOf(fields);
    case 'withdrawal-reject': {
      const request = requestId(fields);
      return request === undefined ? undefined : { kind: 'rejection', request };
    }
    case 'key-rotation':
      return rotationOf(fields);
    case 'update-protocol-contract': {
      const role = sizedBytes(fields.get('contract-type'), 1)?.[0];
      const contract = principalOf(fields.get('new-contract'));
      return role === undefined || contract === undefined ? undefined : { kind: 'contract', role, contract };
    }
    default:
      return undefined;
  }
}

function depositOf(fields: Fields): RegistryPrint | undefined {
  const txId = sizedBytes(fields.get('bitcoin-txid'), hashSize);
  const amount = uint(fields.get('amount'));
  const sweep = sweepOf(fields);
  const vout = uint(fields.get('output-index'));
  if (!txId || vout === undefined || amount === undefined || !sweep) return undefined;
  return { kind: 'deposit', txId, vout: columnOf(vout), amount, sweep };
}

function requestOf(fields: Fields): RegistryPrint | undefined {
  const request = requestId(fields);
  const amount = uint(fields.get('amount'));
  const maxFee = uint(fields.get('max-fee'));
  const sender = principalOf(fields.get('sender'));
  const recipient = fieldsOf(fields.get('recipient'));
  const version = bytesOf(recipient.get('version'));
  const hash = bytesOf(recipient.get('hashbytes'));
  const burnHeight = uint(fields.get('block-height'));
  if (request === undefined || amount === undefined || maxFee === undefined || sender === undefined) return undefined;
  if (!version || version.length > 1 || !hash || burnHeight === undefined) return undefined;
  const to = { version: version[0] ?? -1, hash };
  return { kind: 'request', request, amount, maxFee, sender, recipient: to, burnHeight: columnOf(burnHeight) };
}

function acceptanceOf(fields: Fields): RegistryPrint | undefined {
  const request = requestId(fields);
  const fee = uint(fields.get('fee'));
  const sweep = sweepOf(fields);
  const vout = uint(fields.get('output-index'));
  if (request === undefined || fee === undefined || vout === undefined || !sweep) return undefined;
  return { kind: 'acceptance', request, fee, vout: columnOf(vout), sweep };
}

function rotationOf(fields: Fields): RegistryPrint | undefined {
  const listed = fields.get('new-keys');
  const keys = itemsOf(listed).map(item => sizedBytes(item, keySize));
  const signer = principalOf(fields.get('new-address'));
  const aggregateKey = sizedBytes(fields.get('new-aggregate-pubkey'), keySize);
  const threshold = uint(fields.get('new-signature-threshold'));
  if (signer === undefined || !aggregateKey || threshold === undefined) return undefined;
  if (listed?.type !== 'list' || !keys.every(key => key !== undefined)) return undefined;
  return { kind: 'rotation', keys: Buffer.concat(keys), signer, aggregateKey, threshold: columnOf(threshold) };
}

function sweepOf(fields: Fields): Sweep | undefined {
  const txId = sizedBytes(fields.get('sweep-txid'), hashSize);
  const burnHash = sizedBytes(fields.get('burn-hash'), hashSize);
  const burnHeight = uint(fields.get('burn-height'));
  return txId && burnHash && burnHeight !== undefined
    ? { txId, burnHash, burnHeight: columnOf(burnHeight) }
    : undefined;
}

function requestId(fields: Fields): number | undefined {
  const id = uint(fields.get('request-id'));
  return id === undefined || id > lastRequest ? undefined : Number(id);
}

const uint = (value: ClarityValue | undefined): bigint | undefined =>
  value?.type === 'uint' ? value.value : undefined;

function sizedBytes(value: ClarityValue | undefined, size: number): Uint8Array | undefined {
  const bytes = bytesOf(value);
  return bytes?.length === size ? bytes : undefined;
}

/** The public keys of a rotation, which are stored as one text of bytes. */
export const keysOf = (keys: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.floor(keys.length / keySize) }, (_, i) => keys.subarray(i * keySize, (i + 1) * keySize));
