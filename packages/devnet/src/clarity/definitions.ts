import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import type { Definitions, FunctionDefinition } from './scope.ts';
import { bindingsIn } from './scope.ts';
import { ClarityError, type Form, parseClarity } from './syntax.ts';
import { describe, readType } from './type.ts';
import { isResolvable } from './words.ts';

const accesses = { 'define-public': 'public', 'define-read-only': 'read_only', 'define-private': 'private' } as const;

/** Reads the definitions of a source; throws a `ClarityError` if a node would not accept it. */
export function readDefinitions(source: string, contract: string): Definitions {
  const definitions: Definitions = {
    contract,
    constants: new Map(),
    variables: new Map(),
    maps: new Map(),
    fungibleTokens: new Map(),
    nonFungibleTokens: new Map(),
    traits: new Set(),
    implemented: [],
    functions: new Map(),
    statements: [],
  };
  const names = new Set<string>();
  const claim = (form: Form | undefined, problem: string): string => {
    if (form?.kind !== 'name') throw new ClarityError(problem);
    if (names.has(form.text)) throw new ClarityError(`defining '${form.text}' conflicts with previous value`);
    names.add(form.text);
    return form.text;
  };
  for (const form of parseClarity(source)) {
    const items = form.kind === 'list' ? form.items : [];
    const keyword = items[0]?.kind === 'name' ? items[0].text : '';
    if (keyword.startsWith('define-') || /^(?:use|impl)-trait$/.test(keyword)) {
      readDefinition(definitions, keyword, items.slice(1), claim);
    } else {
      definitions.statements.push(form);
    }
  }
  for (const form of definitions.statements) checkCalls(form, definitions);
  for (const { body } of definitions.functions.values()) for (const form of body) checkCalls(form, definitions);
  for (const form of definitions.constants.values()) checkCalls(form, definitions);
  return definitions;
}

type Claim = (form: Form | undefined, problem: string) => string;

function readDefinition(definitions: Definitions, keyword: string, rest: Form[], claim: Claim): void {
  const exactly = (counts: number[], problem: string) => {
    if (!counts.includes(rest.length)) throw new ClarityError(problem);
  };
  switch (keyword) {
    case 'define-constant':
      exactly([2], 'invalid variable definition');
      definitions.constants.set(claim(rest[0], 'invalid variable definition'), rest[1]!);
      return;
    case 'define-data-var':
      exactly([3], 'invalid variable definition');
      definitions.variables.set(claim(rest[0], 'invalid variable definition'), {
        type: readType(rest[1]),
        initial: rest[2]!,
      });
      return;
    case 'define-map':
      exactly([3], 'invalid map definition');
      definitions.maps.set(claim(rest[0], 'invalid map definition'), {
        key: entryType(rest[1]!),
        value: entryType(rest[2]!),
      });
      return;
    case 'define-fungible-token':
      exactly([1, 2], 'invalid asset definition');
      definitions.fungibleTokens.set(claim(rest[0], 'invalid asset definition'), rest[1]);
      return;
    case 'define-non-fungible-token':
      exactly([2], 'invalid asset definition');
      definitions.nonFungibleTokens.set(claim(rest[0], 'invalid asset definition'), readType(rest[1]));
      return;
    case 'define-trait':
      exactly([2], 'invalid trait definition');
      readTrait(rest[1]!);
      definitions.traits.add(claim(rest[0], 'invalid trait definition'));
      return;
    case 'use-trait':
      exactly([2], 'invalid syntax in trait definition');
      if (rest[0]?.kind !== 'name' || rest[1]?.kind !== 'path') throw new ClarityError('invalid trait reference');
      return;
    case 'impl-trait':
      exactly([1], 'invalid trait reference');
      if (rest[0]?.kind !== 'path') throw new ClarityError('invalid trait reference');
      definitions.implemented.push(rest[0].text);
      return;
    default: {
      const access = accesses[keyword as keyof typeof accesses];
      if (!access) throw new ClarityError(`use of unresolved function '${keyword}'`);
      readFunction(definitions, access, rest, claim);
    }
  }
}

function readFunction(
  { functions }: Definitions,
  access: FunctionDefinition['access'],
  [signature, ...body]: Form[],
  claim: Claim,
): void {
  const [name, ...parameters] = signature?.kind === 'list' ? signature.items : [];
  if (body.length !== 1) throw new ClarityError('invalid function definition');
  const args = bindingsIn(parameters)?.map(({ name: arg, value }): [string, AbiType] => [arg, readType(value)]);
  if (!args) throw new ClarityError('supplied type description is invalid');
  functions.set(claim(name, 'invalid function definition'), { access, args, body });
}

/** The type of a key or value of a map; the first version of the language also writes it as a list of fields. */
function entryType(form: Form): AbiType {
  if (form.kind !== 'list' || form.items[0]?.kind !== 'list') return readType(form);
  return readType({ kind: 'list', items: [{ kind: 'name', text: 'tuple' }, ...form.items] });
}

function readTrait(form: Form): void {
  if (form.kind !== 'list') throw new ClarityError('invalid syntax in trait definition');
  for (const item of form.items) {
    const [name, args, result] = item.kind === 'list' ? item.items : [];
    if (name?.kind !== 'name' || args?.kind !== 'list') throw new ClarityError('invalid syntax in trait definition');
    for (const arg of args.items) readType(arg);
    readType(result);
  }
}

/** Forms whose parts are not all expressions. */
const opaque = new Set(['tuple', 'from-consensus-buff?', 'as-contract?', 'restrict-assets?', 'with-nft', 'with-ft']);

/** Checks that every called function exists; throws a `ClarityError` in the words of a node. */
function checkCalls(form: Form, definitions: Definitions): void {
  if (form.kind === 'tuple') for (const { value } of form.entries) checkCalls(value, definitions);
  if (form.kind !== 'list') return;
  const [head, ...rest] = form.items;
  if (head === undefined || head.kind === 'literal') {
    throw new ClarityError(`expecting expression of type function, found ${describe(head)}`);
  }
  if (head.kind !== 'name' || opaque.has(head.text)) return;
  if (!definitions.functions.has(head.text) && !isResolvable(head.text)) {
    throw new ClarityError(`use of unresolved function '${head.text}'`);
  }
  if (head.text === 'let') {
    const [bindings, ...body] = rest;
    const pairs = bindings?.kind === 'list' ? bindingsIn(bindings.items) : undefined;
    if (!pairs || body.length === 0) throw new ClarityError("invalid syntax of 'let'");
    for (const each of [...pairs.map(({ value }) => value), ...body]) checkCalls(each, definitions);
    return;
  }
  for (const each of rest) checkCalls(each, definitions);
}
