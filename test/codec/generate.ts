import { encodeAddress } from '@cairn-stacks/codec/address/c32';
import type { AssetId, Principal } from '@cairn-stacks/codec/address/principal';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue, TupleEntry } from '@cairn-stacks/codec/clarity/value';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import type { PostCondition, PostConditionPrincipal } from '@cairn-stacks/codec/transaction/post-condition';
import type { AuthField, SpendingCondition } from '@cairn-stacks/codec/transaction/spending-condition';
import { TENURE_CAUSES } from '@cairn-stacks/codec/transaction/tenure-change';
import type { Transaction } from '@cairn-stacks/codec/transaction/transaction';
import type { Random } from './random.ts';

const FIRST = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ODD = [
  '',
  ' ',
  '\0',
  '\t\r\n',
  '"\'\\',
  '\u007f',
  'é',
  '日本語',
  '😀👩‍👩‍👧',
  '\ufeffbom',
  '\u{10ffff}\ud7ff\ue000',
  '\\u{c3a9}',
  '\\x00',
  'u"\'SP',
];

/** What kinds a generated value may hold; others can be left out to meet an oracle's limits. */
export const VALUE_TYPES = [
  'int',
  'uint',
  'buffer',
  'bool',
  'principal',
  'ok',
  'err',
  'none',
  'some',
  'list',
  'tuple',
  'string-ascii',
  'string-utf8',
] as const;

/** A name of 1 to `max` characters that every rule accepts. */
export function contractName(random: Random, max = 40): string {
  return name(random, max, `${FIRST}0123456789-_`);
}

/** A name of a function, asset or tuple key. */
export function clarityName(random: Random, max = 128): string {
  if (random.chance(30)) return random.pick(['+', '-', '*', '/', '=', '<', '>', '<=', '>=']);
  return name(random, max, `${FIRST}0123456789-_!?+<>=/*`);
}

function name(random: Random, max: number, rest: string): string {
  const length = random.chance(20) ? max : 1 + random.below(Math.min(max, 16));
  let text = random.pick([...FIRST]);
  while (text.length < length) text += random.pick([...rest]);
  return text;
}

/** Any account or contract, zero bytes at either end included. */
export function principal(random: Random, contract = random.chance(2)): Principal {
  const hash = random.bytes(20);
  if (random.chance(4)) hash.fill(0, 0, random.below(21));
  if (random.chance(8)) hash.fill(0xff, random.below(20));
  const version = random.chance(3) ? random.below(32) : random.pick([20, 21, 22, 26]);
  return { version, hash, name: contract ? contractName(random) : undefined };
}

/** Any value whose nesting has at most `depth` levels. */
export function clarityValue(random: Random, depth = 5): ClarityValue {
  const type = random.pick(depth > 1 ? VALUE_TYPES : VALUE_TYPES.filter(t => !'ok err some list tuple'.includes(t)));
  switch (type) {
    case 'int':
      return { type, value: random.bits(128n) - (1n << 127n) };
    case 'uint':
      return { type, value: random.bits(128n) };
    case 'buffer':
      return { type, bytes: random.bytes(random.chance(20) ? 300 : random.below(40)) };
    case 'bool':
      return { type, value: random.chance(2) };
    case 'principal': {
      const { version, hash, name } = principal(random);
      const address = encodeAddress(version, hash);
      return name === undefined ? { type, address } : { type, address, contract: name };
    }
    case 'ok':
    case 'err':
    case 'some':
      return { type, value: clarityValue(random, depth - 1) };
    case 'none':
      return { type };
    case 'list': {
      const items = Array.from({ length: random.below(5) }, () => clarityValue(random, depth - 1));
      return { type, items };
    }
    case 'tuple':
      return { type, entries: tupleEntries(random, depth) };
    case 'string-ascii':
      return { type, text: asciiText(random) };
    case 'string-utf8':
      return { type, text: random.chance(2) ? random.pick(ODD) + random.pick(ODD) : asciiText(random) };
  }
}

function tupleEntries(random: Random, depth: number): TupleEntry[] {
  const names = new Set(Array.from({ length: random.below(5) }, () => clarityName(random)));
  return [...names].sort().map(key => ({ name: key, value: clarityValue(random, depth - 1) }));
}

function asciiText(random: Random): string {
  const length = random.chance(20) ? 400 : random.below(24);
  let text = '';
  while (text.length < length)
    text += String.fromCharCode(random.chance(4) ? random.below(128) : 32 + random.below(95));
  return text;
}

/** A value in wrappers, `depth` levels in all. */
export function nested(random: Random, depth: number): ClarityValue {
  let value: ClarityValue = { type: 'bool', value: true };
  for (let level = 1; level < depth; level++) {
    const type = random.pick(['ok', 'err', 'some', 'list', 'tuple'] as const);
    if (type === 'list') value = { type, items: [value] };
    else if (type === 'tuple') value = { type, entries: [{ name: 'a', value }] };
    else value = { type, value };
  }
  return value;
}

/** Any transaction: every payload, hash mode, authorization and post-condition. */
export function transaction(random: Random): Transaction {
  const origin = spendingCondition(random);
  return {
    version: random.pick([0x00, 0x80]),
    chainId: random.chance(3) ? random.u32() : random.pick([1, 0x8000_0000]),
    auth: random.chance(3)
      ? { type: 'sponsored', origin, sponsor: spendingCondition(random) }
      : { type: 'standard', origin },
    anchorMode: random.pick(['on_chain_only', 'off_chain_only', 'any']),
    postConditionMode: random.pick(['allow', 'deny', 'originator']),
    postConditions: Array.from({ length: random.below(4) }, () => postCondition(random)),
    payload: payload(random),
  };
}

/** Any spending condition. */
export function spendingCondition(random: Random): SpendingCondition {
  const common = { signer: random.bytes(20), nonce: random.bits(64n), fee: random.bits(64n) };
  const hashMode = random.pick([0, 0, 1, 2, 3, 5, 7] as const);
  if (hashMode === 0 || hashMode === 2) {
    const keyEncoding = hashMode === 0 && random.chance(3) ? 'uncompressed' : 'compressed';
    return { hashMode, ...common, keyEncoding, signature: random.bytes(65) };
  }
  const fields = Array.from({ length: 1 + random.below(5) }, () => authField(random, hashMode === 1 || hashMode === 5));
  const signaturesRequired = fields.filter(field => field.type === 'signature').length;
  return { hashMode, ...common, fields, signaturesRequired };
}

/** Two points of the curve, so that oracles which check keys accept them. */
const POINTS = [
  '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5',
].map(hex => Uint8Array.from(Buffer.from(hex, 'hex')));

function authField(random: Random, uncompressed: boolean): AuthField {
  const keyEncoding = uncompressed && random.chance(3) ? 'uncompressed' : 'compressed';
  if (random.chance(2)) return { type: 'public_key', keyEncoding, bytes: random.pick(POINTS) };
  return { type: 'signature', keyEncoding, bytes: random.bytes(65) };
}

const AMOUNT_CONDITIONS = [
  'sent_equal_to',
  'sent_greater_than',
  'sent_greater_than_or_equal_to',
  'sent_less_than',
  'sent_less_than_or_equal_to',
] as const;

/** Any post-condition. */
export function postCondition(random: Random): PostCondition {
  const type = random.pick(['stx', 'fungible', 'non_fungible', 'staking', 'pox'] as const);
  const watched = postConditionPrincipal(random);
  const condition = random.pick(AMOUNT_CONDITIONS);
  switch (type) {
    case 'stx':
    case 'staking':
      return { type, principal: watched, condition, amount: random.bits(64n) };
    case 'fungible':
      return { type, principal: watched, asset: asset(random), condition, amount: random.bits(64n) };
    case 'non_fungible':
      return {
        type,
        principal: watched,
        asset: asset(random),
        value: encodeClarity(clarityValue(random, 3)),
        condition: random.pick(['sent', 'not_sent', 'maybe_sent']),
      };
    case 'pox':
      return {
        type,
        principal: watched,
        condition: random.pick(['not_performed', 'maybe_performed', 'performed']),
      };
  }
}

function postConditionPrincipal(random: Random): PostConditionPrincipal {
  if (random.chance(3)) return { type: 'origin' };
  const watched = principal(random);
  return { type: watched.name === undefined ? 'standard' : 'contract', ...watched };
}

function asset(random: Random): AssetId {
  const { version, hash } = principal(random, false);
  return { contract: { version, hash, name: contractName(random) }, asset: clarityName(random) };
}

const PAYLOAD_TYPES = [
  'token_transfer',
  'smart_contract',
  'contract_call',
  'poison_microblock',
  'coinbase',
  'coinbase_to_alt_recipient',
  'versioned_smart_contract',
  'tenure_change',
  'nakamoto_coinbase',
] as const satisfies Payload['type'][];

/** Any payload. */
export function payload(random: Random, type = random.pick(PAYLOAD_TYPES)): Payload {
  switch (type) {
    case 'token_transfer':
      return { type, recipient: principal(random), amount: random.bits(64n), memo: memo(random) };
    case 'smart_contract':
      return { type, name: contractName(random), source: source(random) };
    case 'versioned_smart_contract':
      return { type, clarityVersion: 1 + random.below(6), name: contractName(random), source: source(random) };
    case 'contract_call': {
      const { version, hash } = principal(random, false);
      const args = Array.from({ length: random.below(5) }, () => encodeClarity(clarityValue(random)));
      const contract = { version, hash, name: contractName(random) };
      return { type, contract, functionName: clarityName(random), args };
    }
    case 'poison_microblock':
      return { type, header1: microblockHeader(random), header2: microblockHeader(random) };
    case 'coinbase':
      return { type, data: random.bytes(32) };
    case 'coinbase_to_alt_recipient':
      return { type, data: random.bytes(32), recipient: principal(random) };
    case 'nakamoto_coinbase': {
      const recipient = random.chance(2) ? principal(random) : undefined;
      return { type, data: random.bytes(32), recipient, vrfProof: random.bytes(80) };
    }
    case 'tenure_change':
      return {
        type,
        tenureConsensusHash: random.bytes(20),
        previousTenureConsensusHash: random.bytes(20),
        burnViewConsensusHash: random.bytes(20),
        previousTenureEnd: random.bytes(32),
        previousTenureBlocks: random.u32(),
        cause: random.pick(TENURE_CAUSES),
        publicKeyHash: random.bytes(20),
      };
  }
}

/** Text with zeros after it, as wallets write it, or any bytes. */
function memo(random: Random): Uint8Array {
  if (random.chance(4)) return random.bytes(34);
  const bytes = new Uint8Array(34);
  for (let i = random.below(35) - 1; i >= 0; i--) bytes[i] = 32 + random.below(95);
  return bytes;
}

function source(random: Random): Uint8Array {
  return new TextEncoder().encode('(define-constant A u1)\n;; ~!@#$%\t'.repeat(random.below(20)));
}

function microblockHeader(random: Random) {
  return {
    version: random.below(256),
    sequence: random.below(0x10000),
    previousHash: random.bytes(32),
    transactionMerkleRoot: random.bytes(32),
    signature: random.bytes(65),
  };
}
