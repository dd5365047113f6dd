import { bnsContract } from '../../../chain/names/name.ts';
import { principal, tuple, uint } from '../../../codec/clarity/build.ts';
import { bytesArg, fieldsIn, principalArg, recall, uintArg, type Visit, type Write } from '../contract-model.ts';
import { grace, label, labelText, type NamespaceState } from './namespace-model.ts';

/** A name of the second naming contract. */
export type NameState = { fqn: string; id: number; owner: string; renewal: number; price?: bigint };

const idKey = (contract: string, fqn: string) => `${contract} id of ${fqn}`;
const stateKey = (contract: string, id: number) => `${contract} name ${id}`;
export const primaryKey = (contract: string, owner: string) => `${contract} primary of ${owner}`;

/** What the contract knows of a token. */
export function nameById({ state, contract }: Pick<Visit, 'state' | 'contract'>, id: number): NameState | undefined {
  const fields = fieldsIn(recall(state, stateKey(contract, id)));
  if (!fields) return undefined;
  const price = uintArg([fields.get('price')!], 0);
  return {
    id,
    fqn: labelText(bytesArg([fields.get('fqn')!], 0)),
    owner: principalArg([fields.get('owner')!], 0),
    renewal: Number(uintArg([fields.get('renewal-height')!], 0)),
    ...(price > 0n && { price }),
  };
}

export function nameByText(visit: Pick<Visit, 'state' | 'contract'>, fqn: string): NameState | undefined {
  const id = recall(visit.state, idKey(visit.contract, fqn));
  return id && nameById(visit, Number(uintArg([id], 0)));
}

/** The token that stands for an account. */
export function primaryOf({ state, contract }: Pick<Visit, 'state' | 'contract'>, owner: string): number | undefined {
  const id = recall(state, primaryKey(contract, owner));
  return id && Number(uintArg([id], 0));
}

export function nameWrites({ contract }: Visit, { id, fqn, owner, renewal, price }: NameState): Write[] {
  const value = tuple({
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

/** The first name that an account gets stands for it, until it leaves. */
export function primaryWrites(visit: Visit, id: number, from: string | undefined, to: string): Write[] {
  const writes: Write[] = [];
  if (from !== undefined && primaryOf(visit, from) === id) {
    writes.push({ key: primaryKey(visit.contract, from), value: undefined });
  }
  if (primaryOf(visit, to) === undefined) writes.push({ key: primaryKey(visit.contract, to), value: uint(id) });
  return writes;
}

type Lease = 'active' | 'grace' | 'over';

/** The last burn block in which a name resolves; 0 for ever. */
export function endOf({ renewal }: NameState, { lifetime, launchedAt = 0 }: NamespaceState): number {
  if (lifetime === 0) return 0;
  return renewal > 0 ? renewal : launchedAt + lifetime;
}

export function leaseOf({ burnHeight }: Visit, name: NameState, namespace: NamespaceState): Lease {
  const end = endOf(name, namespace);
  if (end === 0 || burnHeight <= end) return 'active';
  return burnHeight <= end + grace ? 'grace' : 'over';
}

/** The owner of a name, asked by another contract. */
export const ownerOfName = (visit: Visit, fqn: string): string | undefined =>
  nameByText({ state: visit.state, contract: bnsContract('v2', visit.mainnet) }, fqn)?.owner;
