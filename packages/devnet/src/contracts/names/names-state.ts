import { bool, buffer, principal, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import {
  bytesArg,
  type CallContext,
  fieldsIn,
  principalArg,
  readData,
  uintArg,
  type Write,
} from '../contract-model.ts';
import { fqnOf, grace, label, labelText, namespaceOf } from './namespace-model.ts';

/** A name of the first naming contract. */
export type NameState = {
  owner: string;
  registeredAt: number;
  revoked: boolean;
  /** True if it was imported before the launch of its namespace. */
  imported?: boolean;
  zonefile: Uint8Array;
};

const nameKey = (contract: string, fqn: string) => `${contract} name ${fqn}`;
const heldKey = (contract: string, owner: string) => `${contract} held by ${owner}`;

/** The stored state of a name. */
export function stateOf(
  { state, contract }: Pick<CallContext, 'state' | 'contract'>,
  fqn: string,
): NameState | undefined {
  const fields = fieldsIn(readData(state, nameKey(contract, fqn)));
  if (!fields) return undefined;
  const flag = (name: string) => {
    const value = fields.get(name);
    return value?.type === 'bool' && value.value;
  };
  return {
    owner: principalArg([fields.get('owner')!], 0),
    registeredAt: Number(uintArg([fields.get('registered-at')!], 0)),
    revoked: flag('revoked'),
    imported: flag('imported'),
    zonefile: bytesArg([fields.get('zonefile') ?? buffer(new Uint8Array(0))], 0),
  };
}

/** The writes that store a name and its holder: an account has at most one name. */
export function nameWrites(
  { contract }: CallContext,
  fqn: string,
  { owner, registeredAt, revoked, imported = false, zonefile }: NameState,
  before?: string,
) {
  const value = tuple({
    owner: principal(owner),
    'registered-at': uint(registeredAt),
    revoked: bool(revoked),
    imported: bool(imported),
    zonefile: buffer(zonefile),
  });
  const writes: Write[] = [{ key: nameKey(contract, fqn), value }];
  if (before !== undefined && before !== owner) writes.push({ key: heldKey(contract, before), value: undefined });
  writes.push({ key: heldKey(contract, owner), value: label(fqn) });
  return writes;
}

/** The name that an account holds. */
export function nameHeldBy(state: CallContext['state'], contract: string, owner: string): string | undefined {
  const held = readData(state, heldKey(contract, owner));
  return held && labelText(bytesArg([held], 0));
}

type Lease = 'active' | 'grace' | 'over';

/** Whether the lease of a name runs, has ended a while ago, or is over. */
export function leaseOf(context: CallContext, { registeredAt }: NameState, namespace: string): Lease {
  const lifetime = namespaceOf(context, namespace)?.lifetime ?? 0;
  if (lifetime === 0 || context.height <= registeredAt + lifetime) return 'active';
  return context.height <= registeredAt + lifetime + grace ? 'grace' : 'over';
}

/** True if an account holds a name whose lease has not ended. */
export function isTaken(context: CallContext, owner: string): boolean {
  const fqn = nameHeldBy(context.state, context.contract, owner);
  const held = fqn === undefined ? undefined : stateOf(context, fqn);
  return held !== undefined && !held.revoked && leaseOf(context, held, fqn!.split('.')[1]!) !== 'over';
}

/** The name of a call by its owner during its lease; otherwise an error code. */
export function ownName(context: CallContext, args: readonly ClarityValue[], mayBeEnding = false): NameState | number {
  const namespace = labelText(bytesArg(args, 0));
  if (!namespaceOf(context, namespace)) return 1005;
  const known = stateOf(context, fqnOf(args));
  if (!known) return 2013;
  if (known.owner !== context.sender) return 2006;
  if (known.revoked) return 2014;
  const lease = leaseOf(context, known, namespace);
  if (lease === 'over') return 2008;
  return lease === 'grace' && !mayBeEnding ? 2009 : known;
}
