import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { bindingsIn, type Definitions, type Locals } from './scope.ts';
import type { Form } from './syntax.ts';
import { readType, tupleType } from './type.ts';
import { elementOf, fieldType, fixedResults, keywordTypes, lengthenBy, unify } from './type-rules.ts';

/** Expressions after which an inference stops. */
const maxSteps = 50_000;
const maxCalls = 32;

/**
 * Infers the result types of a contract, as the type checker of a node does, for the forms that this reader knows. `none` is
 * the type of what cannot occur, such as the error of `(ok true)`. A type that cannot be told is undefined.
 */
export class TypeInference {
  readonly #definitions: Definitions;
  readonly #results = new Map<string, AbiType | undefined>();
  #steps = 0;
  #calls = 0;
  /** The types that the current function returns early. */
  #early: (AbiType | undefined)[] = [];

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** The type of a constant. */
  constant(name: string): AbiType | undefined {
    const form = this.#definitions.constants.get(name);
    return form && this.#type(form, new Map());
  }

  /** The type of the result of a function: of its last expression and of all early returns. */
  result(name: string): AbiType | undefined {
    const known = this.#definitions.functions.get(name);
    if (!known || this.#calls >= maxCalls) return undefined;
    if (this.#results.has(name)) return this.#results.get(name);
    // A function that calls itself is rejected by a node; here its type is unknown.
    this.#results.set(name, undefined);
    const outer = this.#early;
    this.#early = [];
    this.#calls++;
    const last = this.#body(known.body, new Map(known.args));
    const type = this.#early.reduce((whole, each) => unify(whole, each), last);
    this.#calls--;
    this.#early = outer;
    this.#results.set(name, type);
    return type;
  }

  #body(forms: readonly Form[], locals: Locals<AbiType | undefined>): AbiType | undefined {
    let last: AbiType | undefined;
    for (const form of forms) last = this.#type(form, locals);
    return last;
  }

  #type(form: Form | undefined, locals: Locals<AbiType | undefined>): AbiType | undefined {
    if (form === undefined || ++this.#steps > maxSteps) return undefined;
    switch (form.kind) {
      case 'literal':
        return literalType(form.value);
      case 'path':
        return 'principal';
      case 'name':
        if (locals.has(form.text)) return locals.get(form.text);
        return this.constant(form.text) ?? keywordTypes[form.text];
      case 'tuple':
        return this.#tuple(form.entries, locals);
      case 'list':
        return this.#call(form.items, locals);
      default:
        return undefined;
    }
  }

  #tuple(entries: { name: string; value: Form }[], locals: Locals<AbiType | undefined>): AbiType | undefined {
    const fields: { name: string; type: AbiType }[] = [];
    for (const { name, value } of entries) {
      const type = this.#type(value, locals);
      if (type === undefined) return undefined;
      fields.push({ name, type });
    }
    return tupleType(fields);
  }

  #call([head, ...rest]: Form[], locals: Locals<AbiType | undefined>): AbiType | undefined {
    if (head?.kind !== 'name') return undefined;
    const { variables, maps, functions } = this.#definitions;
    const named = rest[0]?.kind === 'name' ? rest[0].text : '';
    switch (head.text) {
      case 'let':
        return this.#let(rest, locals);
      case 'match':
        return this.#match(rest, locals);
      case 'tuple': {
        const entries = bindingsIn(rest);
        return entries && this.#tuple(entries, locals);
      }
      case 'var-get':
        return variables.get(named)?.type;
      case 'map-get?': {
        this.#type(rest[1], locals);
        const map = maps.get(named);
        return map && { optional: map.value };
      }
      case 'get':
        return fieldType(this.#type(rest[1], locals), named);
      case 'map':
      case 'filter':
      case 'fold':
        return this.#overList(head.text, named, rest, locals);
      case 'from-consensus-buff?':
        return { optional: readType(rest[0]) };
      case 'as-max-len?': {
        const length = rest[1]?.kind === 'literal' && rest[1].value.type === 'uint' ? rest[1].value.value : undefined;
        const type = this.#type(rest[0], locals);
        return type && length !== undefined ? { optional: lengthenBy(type, Number(length), 'exactly') } : undefined;
      }
      // The called function is in another contract.
      case 'contract-call?':
        for (const form of rest.slice(2)) this.#type(form, locals);
        return undefined;
      case 'as-contract':
      case 'at-block':
        return this.#type(rest.at(-1), locals);
      default: {
        const args = rest.map(form => this.#type(form, locals));
        return functions.has(head.text) ? this.result(head.text) : this.#builtIn(head.text, args);
      }
    }
  }

  #let([bindings, ...body]: Form[], locals: Locals<AbiType | undefined>): AbiType | undefined {
    const pairs = bindings?.kind === 'list' ? bindingsIn(bindings.items) : undefined;
    if (!pairs) return undefined;
    const inner = new Map(locals);
    for (const { name, value } of pairs) inner.set(name, this.#type(value, inner));
    return this.#body(body, inner);
  }

  /** `(match optional name some none)` or `(match response name ok name err)`. */
  #match([subject, ...arms]: Form[], locals: Locals<AbiType | undefined>): AbiType | undefined {
    const type = this.#type(subject, locals);
    const within = (name: Form | undefined, bound: AbiType | undefined, form: Form | undefined) =>
      this.#type(form, name?.kind === 'name' ? new Map(locals).set(name.text, bound) : locals);
    const shape = typeof type === 'object' ? type : undefined;
    if (arms.length === 3) {
      const inner = shape && 'optional' in shape ? shape.optional : undefined;
      return unify(within(arms[0], inner, arms[1]), this.#type(arms[2], locals));
    }
    const halves = shape && 'response' in shape ? shape.response : undefined;
    return unify(within(arms[0], halves?.ok, arms[1]), within(arms[2], halves?.error, arms[3]));
  }

  #overList(kind: string, name: string, rest: Form[], locals: Locals<AbiType | undefined>): AbiType | undefined {
    const lists = rest.slice(1).map(form => this.#type(form, locals));
    if (kind === 'filter') return lists[0];
    const result = this.#definitions.functions.has(name)
      ? this.result(name)
      : this.#builtIn(name, lists.map(elementOf));
    if (kind === 'fold') return result ?? lists[1];
    const lengths = lists.map(type => (typeof type === 'object' && 'list' in type ? type.list.length : undefined));
    if (result === undefined || lengths.includes(undefined)) return undefined;
    return { list: { type: result, length: Math.min(...(lengths as number[])) } };
  }

  #builtIn(name: string, args: (AbiType | undefined)[]): AbiType | undefined {
    const [first, second] = args;
    if (Object.hasOwn(fixedResults, name)) return fixedResults[name]!;
    switch (name) {
      case 'ok':
        return first && { response: { ok: first, error: 'none' } };
      case 'err':
        return first && { response: { ok: 'none', error: first } };
      case 'some':
        return first && { optional: first };
      case 'list': {
        const item = args.reduce((whole, each) => unify(whole, each), 'none' as AbiType | undefined);
        return item && { list: { type: item, length: args.length } };
      }
      case 'begin':
        return args.at(-1);
      case 'if':
        return unify(second, args[2]);
      case 'asserts!':
        this.#early.push(second);
        return 'bool';
      case 'unwrap!':
      case 'unwrap-err!':
        this.#early.push(second);
        return innerOf(first, name === 'unwrap!');
      case 'try!':
        this.#early.push(failureOf(first));
        return innerOf(first, true);
      case 'unwrap-panic':
        return innerOf(first, true);
      case 'unwrap-err-panic':
        return innerOf(first, false);
      case 'default-to':
        return unify(first, innerOf(second, true));
      case 'element-at':
      case 'element-at?': {
        const item = elementOf(first);
        return item && { optional: item };
      }
      case 'slice?':
        return first && { optional: first };
      case 'append':
        return first && lengthenBy(first, 1);
      case 'concat':
        return first && second && lengthenBy(first, second);
      case 'merge': {
        if (typeof first !== 'object' || typeof second !== 'object') return undefined;
        if (!('tuple' in first) || !('tuple' in second)) return undefined;
        const names = new Set(second.tuple.map(field => field.name));
        return tupleType([...first.tuple.filter(field => !names.has(field.name)), ...second.tuple]);
      }
      // These keep the type of their first argument.
      case 'print':
      case '+':
      case '-':
      case '*':
      case '/':
      case 'mod':
      case 'pow':
      case 'sqrti':
      case 'log2':
      case 'xor':
      case 'bit-and':
      case 'bit-or':
      case 'bit-xor':
      case 'bit-not':
      case 'bit-shift-left':
      case 'bit-shift-right':
        return first;
      default:
        return undefined;
    }
  }
}

/** What an unwrapped optional or response holds. */
function innerOf(type: AbiType | undefined, good: boolean): AbiType | undefined {
  if (typeof type !== 'object') return undefined;
  if ('optional' in type) return type.optional;
  return 'response' in type ? type.response[good ? 'ok' : 'error'] : undefined;
}

/** What `try!` returns early. */
function failureOf(type: AbiType | undefined): AbiType | undefined {
  if (typeof type !== 'object') return undefined;
  if ('optional' in type) return { optional: 'none' };
  return 'response' in type ? { response: { ok: 'none', error: type.response.error } } : undefined;
}

function literalType(value: ClarityValue): AbiType | undefined {
  switch (value.type) {
    case 'uint':
      return 'uint128';
    case 'int':
      return 'int128';
    case 'bool':
    case 'principal':
      return value.type;
    case 'none':
      return { optional: 'none' };
    case 'buffer':
      return { buffer: { length: value.bytes.length } };
    case 'string-ascii':
      return { 'string-ascii': { length: value.text.length } };
    case 'string-utf8':
      return { 'string-utf8': { length: [...value.text].length } };
    default:
      return undefined;
  }
}
