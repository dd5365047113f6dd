import type { AbiFunction, AbiType } from '@cairn-stacks/codec/clarity/abi';
import type { ContractInterface } from '../contracts/token-contract.ts';
import { bindingsIn } from './scope.ts';
import { ClarityError, type Form, parseClarity } from './syntax.ts';
import { describe, outlineTypes, readType } from './type.ts';

const accesses: Record<string, AbiFunction['access']> = {
  public: 'public',
  'read-only': 'read_only',
  private: 'private',
};

/**
 * Reads an outline: the names and types of a contract without its code.
 *
 * `(released EPOCH VERSION)`, `(type NAME TYPE)`, `(public NAME ((ARGUMENT TYPE) …) RESULT)` and the same with `read-only` or
 * `private`, `(constants TYPE NAME …)`, `(variables TYPE NAME …)`, `(map NAME KEY VALUE)`, `(fungible-token NAME)`,
 * `(non-fungible-token NAME TYPE)`. Definitions of one kind appear in the order of the interface.
 */
export function readOutline(text: string): ContractInterface {
  const types = { ...outlineTypes };
  const found: ContractInterface = {
    functions: [],
    variables: [],
    maps: [],
    fungible_tokens: [],
    non_fungible_tokens: [],
    epoch: '',
    clarity_version: '',
  };
  const typeOf = (form: Form | undefined): AbiType => readType(form, types);
  for (const form of parseClarity(text)) {
    const [keyword, ...rest] = form.kind === 'list' ? form.items : [];
    const kind = nameOf(keyword);
    const access = accesses[kind];
    if (access) {
      const [name, args, result] = rest;
      const bindings = bindingsIn(args?.kind === 'list' ? args.items : []) ?? [];
      found.functions.push({
        name: nameOf(name),
        access,
        args: bindings.map(({ name: argument, value }) => ({ name: argument, type: typeOf(value) })),
        outputs: { type: typeOf(result) },
      });
      continue;
    }
    switch (kind) {
      case 'released':
        found.epoch = nameOf(rest[0]);
        found.clarity_version = nameOf(rest[1]);
        break;
      case 'type':
        types[nameOf(rest[0])] = typeOf(rest[1]);
        break;
      case 'constants':
      case 'variables': {
        const [type, ...names] = rest;
        const each = {
          type: typeOf(type),
          access: kind === 'constants' ? ('constant' as const) : ('variable' as const),
        };
        found.variables.push(...names.map(name => ({ name: nameOf(name), ...each })));
        break;
      }
      case 'map':
        found.maps.push({ name: nameOf(rest[0]), key: typeOf(rest[1]), value: typeOf(rest[2]) });
        break;
      case 'fungible-token':
        found.fungible_tokens.push({ name: nameOf(rest[0]) });
        break;
      case 'non-fungible-token':
        found.non_fungible_tokens.push({ name: nameOf(rest[0]), type: typeOf(rest[1]) });
        break;
      default:
        throw new ClarityError(`an outline has no ${kind}`);
    }
  }
  return found;
}

function nameOf(form: Form | undefined): string {
  if (form?.kind !== 'name') throw new ClarityError(`an outline needs a name, not ${describe(form)}`);
  return form.text;
}
