import { bnsContract } from '@cairn-stacks/codec/bns-name';
import { bool, buffer, none, principal, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { callPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import type { ChainEvent } from '../../chain/event.ts';
import { namedTuple, partsOf, priceFunction } from './bns-contract.ts';

/** A successful call of the second naming contract or of its zonefile resolver. */
export type BnsV2Call =
  | {
      name: 'namespace-launch';
      namespace: string;
      lifetime: number;
      launchedAt: number;
      manager?: string;
      price?: ClarityValue;
    }
  | { name: 'name-airdrop'; fqn: string; id: number; to: string }
  | { name: 'name-register'; fqn: string; id: number; renewal: number }
  | { name: 'name-import'; fqn: string; id: number; to: string }
  | { name: 'transfer'; fqn: string; id: number; to: string; renewal: number }
  /** The name of another owner, taken by an earlier preorder; the contract prints the transfer twice. */
  | { name: 'take-over'; fqn: string; id: number; before: string; renewal: number }
  /** Without a height: after the grace period, the renewal by the owner prints nothing. */
  | { name: 'name-renewal'; fqn: string; id: number; renewal?: number }
  | { name: 'mng-burn'; fqn: string; id: number; owner: string }
  | { name: 'list-in-ustx'; id: number; price: bigint }
  | { name: 'unlist-in-ustx'; id: number }
  | { name: 'set-primary-name'; id: number }
  | { name: 'update-zonefile'; fqn: string; zonefile: string }
  | { name: 'revoke-name'; fqn: string };

const text = (value: string) => buffer(Buffer.from(value, 'utf8'));

/** The payload of the call. */
export function bnsV2Payload(call: BnsV2Call, mainnet: boolean): Payload {
  const resolver = call.name === 'update-zonefile' || call.name === 'revoke-name';
  const contract = bnsContract(resolver ? 'resolver' : 'v2', mainnet);
  const functionName = call.name === 'take-over' ? 'name-register' : call.name;
  if ('fqn' in call) {
    const { name, namespace } = partsOf(call.fqn);
    return callPayload(
      contract,
      functionName,
      resolver ? [text(name), text(namespace)] : [text(namespace), text(name)],
    );
  }
  return callPayload(contract, functionName, 'id' in call ? [uint(call.id)] : [text(call.namespace)]);
}

/** The effects of the call. */
export function bnsV2Effects(call: BnsV2Call, sender: string, mainnet: boolean) {
  return { events: eventsOf(call, sender, mainnet), result: bool(true) };
}

function eventsOf(call: BnsV2Call, sender: string, mainnet: boolean): ChainEvent[] {
  const contract = bnsContract('v2', mainnet);
  const asset = `${contract}::BNS-V2`;
  const print = (value: ClarityValue, from = contract): ChainEvent => ({
    kind: 'print',
    contract: from,
    value: encodeClarity(value),
  });
  const mint = (id: number, recipient: string): ChainEvent => ({
    kind: 'nft_mint',
    asset,
    recipient,
    value: encodeClarity(uint(id)),
  });
  const move = (id: number, from: string, recipient: string): ChainEvent => ({
    kind: 'nft_transfer',
    asset,
    sender: from,
    recipient,
    value: encodeClarity(uint(id)),
  });
  switch (call.name) {
    case 'namespace-launch':
      return [print(launchOf(call, sender))];
    case 'name-airdrop':
      return [mint(call.id, call.to), print(topic('new-airdrop', call, call.to, { 'registered-at': uint(1) }))];
    case 'name-register':
      return [mint(call.id, sender), print(topic('new-name', call, sender, propertiesOf(sender, call.renewal)))];
    case 'name-import':
      return [mint(call.id, call.to), print(topic('new-name', call, call.to, propertiesOf(call.to, 0, true)))];
    case 'transfer':
      return [
        move(call.id, sender, call.to),
        print(topic('transfer-name', call, call.to, propertiesOf(call.to, call.renewal))),
      ];
    case 'take-over': {
      const printed = print(topic('transfer-name', call, sender, propertiesOf(sender, call.renewal)));
      return [move(call.id, call.before, sender), printed, printed];
    }
    case 'name-renewal':
      return call.renewal === undefined ? [] : [print(renewalOf(call, sender, call.renewal))];
    case 'mng-burn': {
      const burnt: ChainEvent = { kind: 'nft_burn', asset, sender: call.owner, value: encodeClarity(uint(call.id)) };
      return [burnt, print(tuple({ ...topicParts('burn-name', call), owner: stringAscii('') }))];
    }
    case 'list-in-ustx':
      return [
        print(
          tuple({
            a: stringAscii(call.name),
            id: uint(call.id),
            price: uint(call.price),
            commission: principal(contract),
          }),
        ),
      ];
    case 'unlist-in-ustx':
      return [print(tuple({ a: stringAscii(call.name), id: uint(call.id) }))];
    case 'set-primary-name':
      return [];
    case 'update-zonefile':
    case 'revoke-name': {
      const { name, namespace } = partsOf(call.fqn);
      const zonefile = 'zonefile' in call ? some(text(call.zonefile)) : none;
      const parts = {
        topic: stringAscii(call.name),
        name: text(name),
        namespace: text(namespace),
        'new-zonefile': zonefile,
      };
      return [print(tuple(parts), bnsContract('resolver', mainnet))];
    }
  }
}

function launchOf(call: Extract<BnsV2Call, { name: 'namespace-launch' }>, sender: string): ClarityValue {
  const properties = tuple({
    'namespace-manager': call.manager === undefined ? none : some(principal(call.manager)),
    'manager-transferable': bool(call.manager !== undefined),
    'manager-frozen': bool(false),
    'namespace-import': principal(sender),
    'revealed-at': uint(1),
    'launched-at': some(uint(call.launchedAt)),
    lifetime: uint(call.lifetime),
    'can-update-price-function': bool(true),
    'price-function': call.price ?? priceFunction(),
  });
  return tuple({ namespace: text(call.namespace), status: stringAscii('launch'), properties: some(properties) });
}

type Named = { fqn: string; id: number };

const topicParts = (name: string, { fqn, id }: Named) => ({
  topic: stringAscii(name),
  name: namedTuple(fqn),
  id: uint(id),
});

const topic = (name: string, call: Named, owner: string, more: Record<string, ClarityValue>): ClarityValue =>
  tuple({ ...topicParts(name, call), owner: principal(owner), ...more });

/** A renewal prints the id as an optional. */
const renewalOf = (call: Named, owner: string, renewal: number): ClarityValue =>
  tuple({
    ...topicParts('renew-name', call),
    id: some(uint(call.id)),
    owner: principal(owner),
    ...propertiesOf(owner, renewal),
  });

const propertiesOf = (owner: string, renewal: number, imported = false): Record<string, ClarityValue> => ({
  properties: some(
    tuple({
      'registered-at': imported ? none : some(uint(1)),
      'imported-at': imported ? some(uint(1)) : none,
      'hashed-salted-fqn-preorder': none,
      'preordered-by': none,
      'renewal-height': uint(renewal),
      'stx-burn': uint(0),
      owner: principal(owner),
    }),
  ),
});
