import { bool, buffer, err, int, none, ok, principal, some, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { bytesArg, type CallContext, type ContractModel, fieldsIn, principalArg, type Run } from '../contract-model.ts';
import { nameFailure as fail } from './names-errors.ts';
import { isTaken, leaseOf, type NameState, nameHeldBy, ownName, stateOf } from './names-state.ts';
import {
  fqnOf,
  labelText,
  launchable,
  type NamespaceState,
  nameCost,
  namespaceCost,
  namespaceOf,
  nameTuple,
} from './namespace-model.ts';

const optional = (number: number | undefined) => (number === undefined ? none : some(uint(number)));

const namespaceProperties = (namespace: NamespaceState): ClarityValue =>
  tuple({
    'can-update-price-function': bool(!namespace.priceFixed),
    'launched-at': optional(namespace.launchedAt),
    lifetime: uint(namespace.lifetime),
    'namespace-import': principal(namespace.importer),
    'price-function': namespace.price,
    'revealed-at': uint(namespace.revealedAt),
  });

const nameProperties = ({ registeredAt, imported, revoked, zonefile }: NameState): ClarityValue =>
  tuple({
    'imported-at': optional(imported ? registeredAt : undefined),
    'registered-at': optional(imported ? undefined : registeredAt),
    'revoked-at': optional(revoked ? registeredAt : undefined),
    'zonefile-hash': buffer(zonefile),
  });

/** The namespace and the name of the arguments `namespace, name`; otherwise an error code. */
function namedBy(context: CallContext, args: readonly ClarityValue[]) {
  const namespace = namespaceOf(context, labelText(bytesArg(args, 0)));
  if (!namespace) return 1005;
  const known = stateOf(context, fqnOf(args));
  return known ? { namespace, known } : 2013;
}

const leaseIs =
  (...wanted: string[]): Run =>
  (context, args) => {
    const found = namedBy(context, args);
    if (typeof found === 'number') return fail(found);
    return { result: ok(bool(wanted.includes(leaseOf(context, found.known, found.namespace.namespace)))) };
  };

const isText = (value: ClarityValue | undefined) => value?.type === 'buffer';

/** Entries of the maps of the contract: namespaces, names, and the name of an account. */
export const firstNameEntries: NonNullable<ContractModel['entries']> = {
  namespaces(context, key) {
    const namespace = namespaceOf(context, labelText(bytesArg([key], 0)));
    return namespace && namespaceProperties(namespace);
  },
  'name-properties'(context, key) {
    const fields = fieldsIn(key);
    const [name, namespace] = [fields?.get('name'), fields?.get('namespace')];
    const known = isText(name) && isText(namespace) ? stateOf(context, fqnOf([namespace!, name!])) : undefined;
    return known && nameProperties(known);
  },
  'owner-name'({ state, contract }, key) {
    const fqn = nameHeldBy(state, contract, principalArg([key], 0));
    return fqn === undefined ? undefined : nameTuple(fqn);
  },
};

/** The read-only functions of the first naming contract. */
export const firstNameReads: Record<string, Run> = {
  'get-namespace-price'(_, args) {
    const namespace = labelText(bytesArg(args, 0));
    return namespace === '' ? fail(1013) : { result: ok(uint(namespaceCost(namespace))) };
  },
  'get-name-price'(context, args) {
    const [namespace, name] = [namespaceOf(context, labelText(bytesArg(args, 0))), labelText(bytesArg(args, 1))];
    const cost = namespace && name !== '' ? nameCost(name, namespace.price) : undefined;
    return cost === undefined ? fail(namespace ? 2010 : 1005) : { result: ok(uint(cost)) };
  },
  'can-namespace-be-registered'(context, args) {
    const known = namespaceOf(context, labelText(bytesArg(args, 0)));
    const expired = known && known.launchedAt === undefined && context.height > known.revealedAt + launchable;
    return { result: ok(bool(!known || expired === true)) };
  },
  'can-name-be-registered'(context, args) {
    const [namespace, known] = [labelText(bytesArg(args, 0)), stateOf(context, fqnOf(args))];
    return { result: ok(bool(!known || leaseOf(context, known, namespace) === 'over')) };
  },
  'can-receive-name': (context, args) => ({ result: ok(bool(!isTaken(context, principalArg(args, 0)))) }),
  'is-name-in-grace-period': leaseIs('grace'),
  'is-name-lease-expired': leaseIs('grace', 'over'),
  'check-name-ops-preconditions'(context, args) {
    const known = ownName(context, args);
    if (typeof known === 'number') return fail(known);
    const namespace = namespaceOf(context, labelText(bytesArg(args, 0)))!;
    return {
      result: ok(
        tuple({
          'name-props': nameProperties(known),
          'namespace-props': namespaceProperties(namespace),
          owner: principal(known.owner),
        }),
      ),
    };
  },
  'name-resolve'(context, args) {
    const found = namedBy(context, args);
    if (typeof found === 'number') return fail(found);
    const { known, namespace } = found;
    if (known.revoked) return fail(2014);
    if (leaseOf(context, known, namespace.namespace) === 'over') return fail(2008);
    return {
      result: ok(
        tuple({
          'lease-ending-at': optional(namespace.lifetime === 0 ? undefined : known.registeredAt + namespace.lifetime),
          'lease-started-at': uint(known.registeredAt),
          owner: principal(known.owner),
          'zonefile-hash': buffer(known.zonefile),
        }),
      ),
    };
  },
  'resolve-principal'({ state, contract }, args) {
    const fqn = nameHeldBy(state, contract, principalArg(args, 0));
    return { result: fqn === undefined ? err(tuple({ code: int(2013), name: none })) : ok(nameTuple(fqn)) };
  },
  'get-namespace-properties'(context, args) {
    const namespace = namespaceOf(context, labelText(bytesArg(args, 0)));
    if (!namespace) return fail(1005);
    return { result: ok(tuple({ namespace: args[0]!, properties: namespaceProperties(namespace) })) };
  },
};
