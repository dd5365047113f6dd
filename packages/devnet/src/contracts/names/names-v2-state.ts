import { bnsContract } from '@cairn-stacks/codec/bns-name';
import { bool, principal, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import {
  bytesArg,
  type CallContext,
  fieldsIn,
  principalArg,
  readData,
  uintArg,
  type Write,
} from '../contract-model.ts';
import { grace, label, labelText, type NamespaceState } from './namespace-model.ts';

/** A name of the second naming contract. */
export type NameState = {
  fqn: string;
  id: number;
  owner: string;
  renewal: number;
  /** Burn height of the registration or import. */
  since: number;
  imported?: boolean;
  /** Burn height of its preorder; absent for a name that was claimed without one. */
  preorderedAt?: number;
  /** Micro-STX that it cost. */
  burnt?: bigint;
  price?: bigint;
};

const idKey = (contract: string, fqn: string) => `${contract} id of ${fqn}`;
const stateKey = (contract: string, id: number) => `${contract} name ${id}`;
export const primaryKey = (contract: string, owner: string) => `${contract} primary of ${owner}`;

/** The stored state of a token. */
export function nameById(
  { state, contract }: Pick<CallContext, 'state' | 'contract'>,
  id: number,
): NameState | undefined {
  const fields = fieldsIn(readData(state, stateKey(contract, id)));
  if (!fields) return undefined;
  const number = (name: string) => uintArg([fields.get(name) ?? uint(0)], 0);
  const [price, preorderedAt, imported] = [number('price'), number('preordered-at'), fields.get('imported')];
  return {
    id,
    fqn: labelText(bytesArg([fields.get('fqn')!], 0)),
    owner: principalArg([fields.get('owner')!], 0),
    renewal: Number(number('renewal-height')),
    since: Number(number('since')),
    imported: imported?.type === 'bool' && imported.value,
    burnt: number('burnt'),
    ...(preorderedAt > 0n && { preorderedAt: Number(preorderedAt) }),
    ...(price > 0n && { price }),
  };
}

export function nameByText(context: Pick<CallContext, 'state' | 'contract'>, fqn: string): NameState | undefined {
  const id = readData(context.state, idKey(context.contract, fqn));
  return id && nameById(context, Number(uintArg([id], 0)));
}

/** The primary name of an account. */
export function primaryOf(
  { state, contract }: Pick<CallContext, 'state' | 'contract'>,
  owner: string,
): number | undefined {
  const id = readData(state, primaryKey(contract, owner));
  return id && Number(uintArg([id], 0));
}

export function nameWrites({ contract }: CallContext, name: NameState): Write[] {
  const { id, fqn, owner, renewal, price, since, imported = false, preorderedAt = 0, burnt = 0n } = name;
  const value = tuple({
    since: uint(since),
    imported: bool(imported),
    'preordered-at': uint(preorderedAt),
    burnt: uint(burnt),
    fqn: label(fqn),
    owner: principal(owner),
    'renewal-height': uint(renewal),
    price: uint(price ?? 0n),
  });
  return [
    { key: stateKey(contract, id), value },
    { key: idKey(contract, fqn), value: uint(id) },
  ];
}

/** The first name of an account is its primary name until it is transferred. */
export function primaryWrites(context: CallContext, id: number, from: string | undefined, to: string): Write[] {
  const writes: Write[] = [];
  if (from !== undefined && primaryOf(context, from) === id) {
    writes.push({ key: primaryKey(context.contract, from), value: undefined });
  }
  if (primaryOf(context, to) === undefined) writes.push({ key: primaryKey(context.contract, to), value: uint(id) });
  return writes;
}

type Lease = 'active' | 'grace' | 'over';

/** The last burn block in which a name resolves; 0 means forever. */
export function endOf({ renewal }: NameState, { lifetime, launchedAt = 0 }: NamespaceState): number {
  if (lifetime === 0) return 0;
  return renewal > 0 ? renewal : launchedAt + lifetime;
}

export function leaseOf({ burnHeight }: CallContext, name: NameState, namespace: NamespaceState): Lease {
  const end = endOf(name, namespace);
  if (end === 0 || burnHeight <= end) return 'active';
  return burnHeight <= end + grace ? 'grace' : 'over';
}

/** The owner of a name, for other contracts. */
export const ownerOfName = (context: CallContext, fqn: string): string | undefined =>
  nameByText({ state: context.state, contract: bnsContract('v2', context.mainnet) }, fqn)?.owner;
