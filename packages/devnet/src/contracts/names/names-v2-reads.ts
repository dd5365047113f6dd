import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import { bool, none, ok, principal, some, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { bytesArg, fail, type ModelFunction, principalArg, uintArg, uintVariable } from '../contract-model.ts';
import { endOf, leaseOf, type NameState, nameById, nameByText, primaryOf } from './names-v2-state.ts';
import {
  buff,
  fqnOf,
  labelText,
  launchable,
  type NamespaceState,
  nameArgs,
  nameCost,
  namespaceCost,
  namespaceOf,
  nameTuple,
  nameTupleType,
  priceType,
} from './namespace-model.ts';

const responseOf = (type: AbiType): AbiType => ({ response: { ok: type, error: 'uint128' } });

const namespaceTypeV2: AbiType = {
  tuple: [
    { name: 'can-update-price-function', type: 'bool' },
    { name: 'launched-at', type: { optional: 'uint128' } },
    { name: 'lifetime', type: 'uint128' },
    { name: 'manager-frozen', type: 'bool' },
    { name: 'manager-transferable', type: 'bool' },
    { name: 'namespace-import', type: 'principal' },
    { name: 'namespace-manager', type: { optional: 'principal' } },
    { name: 'price-function', type: priceType },
    { name: 'revealed-at', type: 'uint128' },
  ],
};

const nameTypeV2: AbiType = {
  tuple: [
    { name: 'hashed-salted-fqn-preorder', type: { optional: buff(20) } },
    { name: 'imported-at', type: { optional: 'uint128' } },
    { name: 'owner', type: 'principal' },
    { name: 'preordered-by', type: { optional: 'principal' } },
    { name: 'registered-at', type: { optional: 'uint128' } },
    { name: 'renewal-height', type: 'uint128' },
    { name: 'stx-burn', type: 'uint128' },
  ],
};

/** A namespace as the contract stores and prints it. */
export const namespacePropertiesV2 = (namespace: NamespaceState): ClarityValue =>
  tuple({
    'can-update-price-function': bool(!namespace.priceFixed),
    'launched-at': namespace.launchedAt === undefined ? none : some(uint(namespace.launchedAt)),
    lifetime: uint(namespace.lifetime),
    'manager-frozen': bool(namespace.managerFrozen ?? false),
    'manager-transferable': bool(namespace.managerTransferable ?? false),
    'namespace-import': principal(namespace.importer),
    'namespace-manager': namespace.manager === undefined ? none : some(principal(namespace.manager)),
    'price-function': namespace.price,
    'revealed-at': uint(namespace.revealedAt),
  });

const namePropertiesV2 = ({ owner, renewal, since, imported, burnt }: NameState): ClarityValue =>
  tuple({
    'hashed-salted-fqn-preorder': none,
    'imported-at': imported ? some(uint(since)) : none,
    owner: principal(owner),
    'preordered-by': none,
    'registered-at': imported ? none : some(uint(since)),
    'renewal-height': uint(renewal),
    'stx-burn': uint(burnt ?? 0n),
  });

/** The read-only functions of the second naming contract. */
export const nameReads: Record<string, ModelFunction> = {
  'get-last-token-id': {
    access: 'read_only',
    args: [],
    returns: responseOf('uint128'),
    run: context => ({ result: ok(uint(uintVariable(context, 'bns-index'))) }),
  },
  'get-token-uri': {
    access: 'read_only',
    args: [['id', 'uint128']],
    returns: responseOf({ optional: { 'string-ascii': { length: 256 } } }),
    run: () => ({ result: ok(none) }),
  },
  'get-owner': {
    access: 'read_only',
    args: [['id', 'uint128']],
    returns: responseOf({ optional: 'principal' }),
    run(context, args) {
      const known = nameById(context, Number(uintArg(args, 0)));
      return { result: ok(known ? some(principal(known.owner)) : none) };
    },
  },
  'get-id-from-bns': {
    access: 'read_only',
    args: [...nameArgs].reverse(),
    returns: { optional: 'uint128' },
    run(context, args) {
      const known = nameByText(context, fqnOf([args[1]!, args[0]!]));
      return { result: known ? some(uint(known.id)) : none };
    },
  },
  'get-bns-from-id': {
    access: 'read_only',
    args: [['id', 'uint128']],
    returns: { optional: nameTupleType },
    run(context, args) {
      const known = nameById(context, Number(uintArg(args, 0)));
      return { result: known ? some(nameTuple(known.fqn)) : none };
    },
  },
  'get-owner-name': {
    access: 'read_only',
    args: [...nameArgs].reverse(),
    returns: { response: { ok: { optional: 'principal' }, error: 'none' } },
    run(context, args) {
      const known = nameByText(context, fqnOf([args[1]!, args[0]!]));
      return { result: ok(known ? some(principal(known.owner)) : none) };
    },
  },
  'get-bns-info': {
    access: 'read_only',
    args: [...nameArgs].reverse(),
    returns: { optional: nameTypeV2 },
    run(context, args) {
      const known = nameByText(context, fqnOf([args[1]!, args[0]!]));
      return { result: known ? some(namePropertiesV2(known)) : none };
    },
  },
  'get-primary': {
    access: 'read_only',
    args: [['owner', 'principal']],
    returns: responseOf({ optional: nameTupleType }),
    run(context, args) {
      const id = primaryOf(context, principalArg(args, 0));
      const known = id === undefined ? undefined : nameById(context, id);
      return known ? { result: ok(some(nameTuple(known.fqn))) } : fail(131);
    },
  },
  'can-resolve-name': {
    access: 'read_only',
    args: nameArgs,
    returns: responseOf({
      tuple: [
        { name: 'owner', type: 'principal' },
        { name: 'renewal', type: 'uint128' },
      ],
    }),
    run(context, args) {
      const namespace = namespaceOf(context, labelText(bytesArg(args, 0)));
      const known = namespace && nameByText(context, fqnOf(args));
      if (!namespace) return fail(113);
      if (!known) return fail(106);
      if (leaseOf(context, known, namespace) !== 'active') return fail(112);
      return { result: ok(tuple({ owner: principal(known.owner), renewal: uint(endOf(known, namespace)) })) };
    },
  },
  'can-namespace-be-registered': {
    access: 'read_only',
    args: [['namespace', buff(20)]],
    returns: { response: { ok: 'bool', error: 'none' } },
    run(context, args) {
      const known = namespaceOf(context, labelText(bytesArg(args, 0)));
      const expired = known && known.launchedAt === undefined && context.burnHeight > known.revealedAt + launchable;
      return { result: ok(bool(!known || expired === true)) };
    },
  },
  'get-namespace-properties': {
    access: 'read_only',
    args: [['namespace', buff(20)]],
    returns: responseOf({
      tuple: [
        { name: 'namespace', type: buff(20) },
        { name: 'properties', type: namespaceTypeV2 },
      ],
    }),
    run(context, args) {
      const namespace = namespaceOf(context, labelText(bytesArg(args, 0)));
      if (!namespace) return fail(113);
      return { result: ok(tuple({ namespace: args[0]!, properties: namespacePropertiesV2(namespace) })) };
    },
  },
  'get-primary-name': {
    access: 'read_only',
    args: [['owner', 'principal']],
    returns: { optional: 'uint128' },
    run(context, args) {
      const id = primaryOf(context, principalArg(args, 0));
      return { result: id === undefined ? none : some(uint(id)) };
    },
  },
  'get-renewal-height': {
    access: 'read_only',
    args: [['id', 'uint128']],
    returns: responseOf('uint128'),
    run(context, args) {
      const known = nameById(context, Number(uintArg(args, 0)));
      const namespace = known && namespaceOf(context, known.fqn.split('.')[1]!);
      return known && namespace ? { result: ok(uint(endOf(known, namespace))) } : fail(106);
    },
  },
  'get-namespace-price': {
    access: 'read_only',
    args: [['namespace', buff(20)]],
    returns: responseOf('uint128'),
    run(_, args) {
      const namespace = labelText(bytesArg(args, 0));
      return namespace === '' ? fail(119) : { result: ok(uint(namespaceCost(namespace))) };
    },
  },
  'get-name-price': {
    access: 'read_only',
    args: nameArgs,
    returns: responseOf(responseOf('uint128')),
    run(context, args) {
      const [namespace, name] = [namespaceOf(context, labelText(bytesArg(args, 0))), labelText(bytesArg(args, 1))];
      const cost = namespace && name !== '' ? nameCost(name, namespace.price) : undefined;
      return cost === undefined ? fail(namespace ? 120 : 113) : { result: ok(ok(uint(cost))) };
    },
  },
};
