import type { AbiType } from '../../../codec/clarity/abi.ts';
import { none, ok, principal, some, uint } from '../../../codec/clarity/build.ts';
import { bytesArg, fail, type ModelFunction, principalArg, uintArg, uintVariable } from '../contract-model.ts';
import { endOf, nameById, nameByText, primaryOf } from './names-v2-state.ts';
import {
  buff,
  fqnOf,
  labelText,
  nameArgs,
  nameCost,
  namespaceCost,
  namespaceOf,
  nameTuple,
  nameTupleType,
} from './namespace-model.ts';

const responseOf = (type: AbiType): AbiType => ({ response: { ok: type, error: 'uint128' } });

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
