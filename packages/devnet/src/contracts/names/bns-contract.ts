import { type BnsName, bnsContract, parseBnsName } from '@cairn-stacks/codec/bns-name';
import {
  bool,
  buffer,
  list,
  none,
  ok,
  principal,
  some,
  stringAscii,
  tuple,
  uint,
} from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { callPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import type { ChainEvent } from '../../chain/event.ts';

/** The price function of the namespaces of the simulated chain. */
export const simulatedPrice = { base: 4n, coeff: 250n, nonalphaDiscount: 4n, noVowelDiscount: 4n, bucket: 5n };

/** A successful call of the first naming contract. */
export type BnsCall =
  | { name: 'namespace-ready'; namespace: string; lifetime: number; launchedAt: number; price?: ClarityValue }
  | { name: 'namespace-update-function-price'; namespace: string; coeff: bigint }
  | { name: 'name-import'; fqn: string; to: string; zonefile: string }
  /** `before` is the previous owner, whose lease has ended. */
  | { name: 'name-register'; fqn: string; zonefile: string; before?: string }
  | { name: 'name-update'; fqn: string; zonefile: string }
  | { name: 'name-transfer'; fqn: string; to: string; zonefile?: string }
  | { name: 'name-renewal'; fqn: string; zonefile?: string }
  | { name: 'name-revoke'; fqn: string };

type Effects = { events: ChainEvent[]; result: ClarityValue };

const text = (value: string) => buffer(Buffer.from(value, 'latin1'));
const hex = (digits: string) => buffer(Buffer.from(digits, 'hex'));

export function namedTuple(fqn: string): ClarityValue {
  const { name, namespace } = partsOf(fqn);
  return tuple({ name: text(name), namespace: text(namespace) });
}

export function partsOf(fqn: string): BnsName {
  const parts = parseBnsName(fqn);
  if (!parts) throw new Error(`${fqn} is no name`);
  return parts;
}

export function priceFunction(coeff = simulatedPrice.coeff): ClarityValue {
  const { base, nonalphaDiscount, noVowelDiscount, bucket } = simulatedPrice;
  return tuple({
    base: uint(base),
    coeff: uint(coeff),
    'nonalpha-discount': uint(nonalphaDiscount),
    'no-vowel-discount': uint(noVowelDiscount),
    buckets: list(Array.from({ length: 16 }, () => uint(bucket))),
  });
}

/** The payload of the call. */
export function bnsPayload(call: BnsCall, mainnet: boolean): Payload {
  return callPayload(bnsContract('v1', mainnet), call.name, argumentsOf(call));
}

function argumentsOf(call: BnsCall): ClarityValue[] {
  if (call.name === 'namespace-ready') return [text(call.namespace)];
  if (call.name === 'namespace-update-function-price') {
    const { base, nonalphaDiscount, noVowelDiscount, bucket } = simulatedPrice;
    const buckets = Array.from({ length: 16 }, () => uint(bucket));
    return [
      text(call.namespace),
      uint(base),
      uint(call.coeff),
      ...buckets,
      uint(nonalphaDiscount),
      uint(noVowelDiscount),
    ];
  }
  const { name, namespace } = partsOf(call.fqn);
  const named = [text(namespace), text(name)];
  const zonefile = 'zonefile' in call && call.zonefile !== undefined ? hex(call.zonefile) : undefined;
  switch (call.name) {
    case 'name-import':
      return [...named, principal(call.to), zonefile!];
    case 'name-register':
      return [...named, text('salt'), zonefile!];
    case 'name-update':
      return [...named, zonefile!];
    case 'name-transfer':
      return [...named, principal(call.to), zonefile ? some(zonefile) : none];
    case 'name-renewal':
      return [...named, uint(1), none, zonefile ? some(zonefile) : none];
    case 'name-revoke':
      return named;
  }
}

/** The effects of the call. */
export function bnsEffects(call: BnsCall, sender: string, mainnet: boolean): Effects {
  const contract = bnsContract('v1', mainnet);
  const print = (value: ClarityValue): ChainEvent => ({ kind: 'print', contract, value: encodeClarity(value) });
  if (call.name === 'namespace-update-function-price') return { events: [], result: bool(true) };
  if (call.name === 'namespace-ready') {
    const properties = tuple({
      'can-update-price-function': bool(true),
      'launched-at': some(uint(call.launchedAt)),
      lifetime: uint(call.lifetime),
      'namespace-import': principal(sender),
      'price-function': call.price ?? priceFunction(),
      'revealed-at': uint(1),
    });
    const ready = tuple({ namespace: text(call.namespace), status: stringAscii('ready'), properties });
    return { events: [print(ready)], result: bool(true) };
  }
  const { name, namespace } = partsOf(call.fqn);
  const metadata = tuple({
    name: text(name),
    namespace: text(namespace),
    op: stringAscii(call.name),
    'tx-sender': principal(sender),
  });
  const hash = 'zonefile' in call && call.zonefile !== undefined ? hex(call.zonefile) : buffer(new Uint8Array(0));
  const attachment = tuple({ attachment: tuple({ 'attachment-index': uint(1), hash, metadata }) });
  const silent = call.name === 'name-renewal' && call.zonefile === undefined;
  return { events: [...movesOf(call, sender, contract), ...(silent ? [] : [print(attachment)])], result: bool(true) };
}

function movesOf(call: Exclude<BnsCall, { namespace: string }>, sender: string, contract: string): ChainEvent[] {
  const asset = `${contract}::names`;
  const value = encodeClarity(namedTuple(call.fqn));
  switch (call.name) {
    case 'name-import':
      return [{ kind: 'nft_mint', asset, recipient: call.to, value }];
    case 'name-register':
      if (call.before === sender) return [];
      if (call.before) return [{ kind: 'nft_transfer', asset, sender: call.before, recipient: sender, value }];
      return [{ kind: 'nft_mint', asset, recipient: sender, value }];
    case 'name-transfer':
      return [{ kind: 'nft_transfer', asset, sender, recipient: call.to, value }];
    default:
      return [];
  }
}

/** The result of a read-only price function, as a node encodes it. */
export const priceResponse = (amount: bigint): Uint8Array => encodeClarity(ok(uint(amount)));
