import { bool, err, list, ok, principal, some, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { toHex } from '@cairn-stacks/codec/hex';
import { bindingsIn, type DataReader, type Definitions, type Locals, resolvePath } from './scope.ts';
import type { Form } from './syntax.ts';

/** Steps, and levels of calls, after which an evaluation stops. */
const maxSteps = 20_000;
const maxCalls = 64;

/** The value of an expression that only reads; undefined if it is beyond the forms that the devnet evaluates. */
export function evaluate(
  form: Form,
  definitions: Definitions,
  data: DataReader,
  args: Locals<ClarityValue> = new Map(),
): ClarityValue | undefined {
  return new Evaluator(definitions, data).value(form, args);
}

const isTrue = (value: ClarityValue | undefined) => value?.type === 'bool' && value.value;
const textOf = (value: ClarityValue) => toHex(encodeClarity(value));
const limits = { uint: [0n, (1n << 128n) - 1n], int: [-(1n << 127n), (1n << 127n) - 1n] } as const;

class Evaluator {
  readonly #definitions: Definitions;
  readonly #data: DataReader;
  #steps = 0;
  #calls = 0;

  constructor(definitions: Definitions, data: DataReader) {
    this.#definitions = definitions;
    this.#data = data;
  }

  value(form: Form, locals: Locals<ClarityValue>): ClarityValue | undefined {
    if (++this.#steps > maxSteps) return undefined;
    switch (form.kind) {
      case 'literal':
        return form.value;
      case 'name':
        return locals.get(form.text) ?? this.#named(form.text);
      case 'path': {
        const path = resolvePath(form.text, this.#definitions.contract);
        return path.split('.').length === 2 ? principal(path) : undefined;
      }
      case 'tuple':
        return this.#tuple(form.entries, locals);
      case 'list':
        return this.#call(form.items, locals);
      default:
        return undefined;
    }
  }

  #named(name: string): ClarityValue | undefined {
    const constant = this.#definitions.constants.get(name);
    if (constant) return this.#data.constants ? this.#data.constants.get(name) : this.value(constant, new Map());
    const { sender, caller, height, burnHeight, chainId, mainnet } = this.#data;
    switch (name) {
      case 'tx-sender':
        return principal(sender);
      case 'contract-caller':
        return principal(caller);
      case 'current-contract':
        return principal(this.#definitions.contract);
      case 'block-height':
      case 'stacks-block-height':
        return uint(height);
      case 'burn-block-height':
        return uint(burnHeight);
      case 'chain-id':
        return uint(chainId);
      case 'is-in-mainnet':
        return bool(mainnet);
      default:
        return undefined;
    }
  }

  #tuple(entries: { name: string; value: Form }[], locals: Locals<ClarityValue>): ClarityValue | undefined {
    const values: Record<string, ClarityValue> = {};
    for (const { name, value } of entries) {
      const evaluated = this.value(value, locals);
      if (evaluated === undefined) return undefined;
      values[name] = evaluated;
    }
    return tuple(values);
  }

  #call([head, ...rest]: Form[], locals: Locals<ClarityValue>): ClarityValue | undefined {
    if (head?.kind !== 'name') return undefined;
    const named = rest[0]?.kind === 'name' ? rest[0].text : '';
    switch (head.text) {
      case 'tuple': {
        const entries = bindingsIn(rest);
        return entries && this.#tuple(entries, locals);
      }
      case 'let':
        return this.#let(rest, locals);
      case 'if': {
        const condition = this.value(rest[0]!, locals);
        if (condition?.type !== 'bool' || rest.length !== 3) return undefined;
        return this.value(rest[condition.value ? 1 : 2]!, locals);
      }
      case 'var-get':
        return this.#data.variable(named);
      case 'map-get?': {
        const key = rest[1] && this.value(rest[1], locals);
        if (!key || !this.#definitions.maps.has(named)) return undefined;
        const entry = this.#data.entry(named, key);
        return entry === undefined ? { type: 'none' } : some(entry);
      }
      // No function of the contract runs on the devnet, so that its tokens are never minted.
      case 'ft-get-supply':
      case 'ft-get-balance':
        return this.#definitions.fungibleTokens.has(named) ? uint(0) : undefined;
      case 'nft-get-owner?':
        return this.#definitions.nonFungibleTokens.has(named) ? { type: 'none' } : undefined;
      case 'get': {
        const from = rest[1] && this.value(rest[1], locals);
        return from && fieldOf(from, named);
      }
      default:
        return this.#apply(head.text, rest, locals);
    }
  }

  #let([bindings, ...body]: Form[], locals: Locals<ClarityValue>): ClarityValue | undefined {
    const pairs = bindings?.kind === 'list' ? bindingsIn(bindings.items) : undefined;
    if (!pairs || body.length === 0) return undefined;
    const inner = new Map(locals);
    for (const { name, value } of pairs) {
      const evaluated = this.value(value, inner);
      if (evaluated === undefined) return undefined;
      inner.set(name, evaluated);
    }
    return this.#last(body, inner);
  }

  /** The value of the last of some expressions; all must be known, as an earlier one may return. */
  #last(forms: readonly Form[], locals: Locals<ClarityValue>): ClarityValue | undefined {
    const values = forms.map(form => this.value(form, locals));
    return values.includes(undefined) ? undefined : values.at(-1);
  }

  #apply(name: string, forms: Form[], locals: Locals<ClarityValue>): ClarityValue | undefined {
    const own = this.#definitions.functions.get(name);
    const values = forms.map(form => this.value(form, locals));
    if (values.includes(undefined)) return undefined;
    const args = values as ClarityValue[];
    if (own) {
      if (own.access === 'public' || own.args.length !== args.length || this.#calls >= maxCalls) return undefined;
      this.#calls++;
      const result = this.#last(own.body, new Map(own.args.map(([arg], i) => [arg, args[i]!])));
      this.#calls--;
      return result;
    }
    const [first, second] = args;
    switch (name) {
      case 'ok':
      case 'err':
      case 'some':
        return first && args.length === 1 ? { ok, err, some }[name](first) : undefined;
      case 'list':
        return list(args);
      case 'begin':
        return args.at(-1);
      case 'not':
        return first?.type === 'bool' ? bool(!first.value) : undefined;
      case 'and':
        return bool(args.every(isTrue));
      case 'or':
        return bool(args.some(isTrue));
      case 'is-eq':
        return bool(args.every(arg => textOf(arg) === textOf(first!)));
      case 'is-some':
      case 'is-none':
        return bool((first?.type === 'none') === (name === 'is-none'));
      case 'is-ok':
      case 'is-err':
        return bool((first?.type === 'ok') === (name === 'is-ok'));
      case 'default-to':
        return second?.type === 'some' ? second.value : first;
      case 'unwrap-panic':
        return first?.type === 'some' || first?.type === 'ok' ? first.value : undefined;
      case 'len':
        return lengthOf(first);
      case 'stx-get-balance':
        return first?.type === 'principal' ? uint(this.#data.balance(nameOf(first))) : undefined;
      case 'merge':
        return first?.type === 'tuple' && second?.type === 'tuple'
          ? tuple(Object.fromEntries([...first.entries, ...second.entries].map(entry => [entry.name, entry.value])))
          : undefined;
      default:
        return arithmetic(name, args);
    }
  }
}

const nameOf = ({ address, contract }: { address: string; contract?: string }) =>
  contract === undefined ? address : `${address}.${contract}`;

function fieldOf(value: ClarityValue, name: string): ClarityValue | undefined {
  if (value.type === 'none') return value;
  if (value.type === 'some') {
    const inner = fieldOf(value.value, name);
    return inner && some(inner);
  }
  return value.type === 'tuple' ? value.entries.find(entry => entry.name === name)?.value : undefined;
}

function lengthOf(value: ClarityValue | undefined): ClarityValue | undefined {
  switch (value?.type) {
    case 'list':
      return uint(value.items.length);
    case 'buffer':
      return uint(value.bytes.length);
    case 'string-ascii':
      return uint(value.text.length);
    case 'string-utf8':
      return uint([...value.text].length);
    default:
      return undefined;
  }
}

/** Sums, products and comparisons of integers of one kind; undefined where a node would fail. */
function arithmetic(name: string, args: readonly ClarityValue[]): ClarityValue | undefined {
  const kind = args[0]?.type;
  if (kind !== 'uint' && kind !== 'int') return undefined;
  const numbers: bigint[] = [];
  for (const arg of args) {
    if (arg.type !== kind) return undefined;
    numbers.push(arg.value);
  }
  const [a = 0n, b] = numbers;
  if (b !== undefined && ['<', '<=', '>', '>='].includes(name)) {
    return bool(name === '<' ? a < b : name === '<=' ? a <= b : name === '>' ? a > b : a >= b);
  }
  const result = reduce(name, numbers);
  const [least, most] = limits[kind];
  return result === undefined || result < least || result > most ? undefined : { type: kind, value: result };
}

function reduce(name: string, [first = 0n, ...rest]: bigint[]): bigint | undefined {
  switch (name) {
    case '+':
      return rest.reduce((sum, each) => sum + each, first);
    case '-':
      return rest.length === 0 ? -first : rest.reduce((left, each) => left - each, first);
    case '*':
      return rest.reduce((product, each) => product * each, first);
    case '/':
      return rest.includes(0n) ? undefined : rest.reduce((left, each) => left / each, first);
    case 'mod':
      return rest.length !== 1 || rest[0] === 0n ? undefined : first % rest[0]!;
    case 'pow':
      return rest.length !== 1 || rest[0]! < 0n || rest[0]! > 128n ? undefined : first ** rest[0]!;
    default:
      return undefined;
  }
}
