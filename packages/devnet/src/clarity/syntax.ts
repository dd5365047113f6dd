import { isPrincipal } from '@cairn-stacks/codec/address/principal';
import { bool, buffer, int, none, principal, stringAscii, stringUtf8, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { fromHex } from '@cairn-stacks/codec/hex';
import { isClarityName, isContractName } from '@cairn-stacks/codec/name';

/** A Clarity expression as written: a literal, a name, a list or a tuple. */
export type Form =
  | { kind: 'literal'; value: ClarityValue }
  | { kind: 'name'; text: string }
  /** `<trait>`. */
  | { kind: 'trait'; text: string }
  /** `.contract`, `.contract.trait` or `'ADDRESS.contract.trait`; a leading dot names the deployer. */
  | { kind: 'path'; text: string }
  | { kind: 'list'; items: Form[] }
  | { kind: 'tuple'; entries: { name: string; value: Form }[] };

/** A source that does not parse, or that a check before the deployment rejects. */
export class ClarityError extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'ClarityError';
  }
}

/** Levels of nesting that a node accepts. */
const maxDepth = 64;
const largestUint = (1n << 128n) - 1n;
const largestInt = (1n << 127n) - 1n;

const tokenPattern =
  /\s+|;;[^\n]*|u?"(?:[^"\\\n]|\\(?:u\{[0-9a-fA-F]{1,6}\}|[^u\n]))*"|[(){},:]|<[^\s()<>{}]+>|'[0-9A-Z]+(?:\.[^\s(){},]+)?|[^\s(){},:"']+/y;

/** The expressions at the top of a source, in order; throws a `ClarityError`. */
export function parseClarity(source: string): Form[] {
  const tokens = tokenize(source);
  const forms: Form[] = [];
  let at = 0;
  const next = () => tokens[at++];

  const read = (token: string, depth: number): Form => {
    if (depth > maxDepth) throw new ClarityError('Expression nesting is too deep');
    if (token === '(') return { kind: 'list', items: readUntil(')', depth) };
    if (token === '{') return readTuple(depth);
    if (token === ')' || token === '}') throw new ClarityError("Tried to close list which isn't open.");
    if (token === ',' || token === ':') throw new ClarityError(`unexpected '${token}'`);
    return readAtom(token);
  };
  const readUntil = (end: string, depth: number): Form[] => {
    const items: Form[] = [];
    for (let token = next(); token !== end; token = next()) {
      if (token === undefined) throw new ClarityError('List expressions (..) left opened.');
      items.push(read(token, depth + 1));
    }
    return items;
  };
  const readTuple = (depth: number): Form => {
    const entries: { name: string; value: Form }[] = [];
    for (let token = next(); token !== '}'; token = next()) {
      if (token === ',' && entries.length > 0) token = next();
      if (token === '}') break;
      if (token === undefined) throw new ClarityError('Tuple literal {..} left opened.');
      const [colon, first] = [next(), next()];
      if (!isClarityName(token) || colon !== ':' || first === undefined) {
        throw new ClarityError(`invalid syntax in a tuple at '${token}'`);
      }
      entries.push({ name: token, value: read(first, depth + 1) });
    }
    if (entries.length === 0) throw new ClarityError('tuple literal is empty');
    return { kind: 'tuple', entries };
  };

  for (let token = next(); token !== undefined; token = next()) forms.push(read(token, 1));
  return forms;
}

function tokenize(source: string): string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < source.length) {
    const start = tokenPattern.lastIndex;
    const [token] = tokenPattern.exec(source) ?? [];
    if (token === undefined) {
      const line = source.slice(0, start).split('\n').length;
      throw new ClarityError(`Failed to lex input remainder: line ${line}`);
    }
    if (!/^(?:\s|;;)/.test(token)) tokens.push(token);
  }
  return tokens;
}

const literalNames: Record<string, ClarityValue> = { true: bool(true), false: bool(false), none };

function readAtom(token: string): Form {
  const literal = (value: ClarityValue): Form => ({ kind: 'literal', value });
  if (token.startsWith('"')) return literal(stringAscii(unescaped(token.slice(1, -1))));
  if (token.startsWith('u"')) return literal(stringUtf8(unescaped(token.slice(2, -1))));
  if (/^u\d+$/.test(token)) return literal(uint(bounded(token.slice(1), largestUint)));
  if (/^-?\d+$/.test(token)) return literal(int(bounded(token, largestInt)));
  if (/^0x(?:[0-9a-fA-F]{2})*$/.test(token)) return literal(buffer(fromHex(token)));
  if (token.startsWith("'")) {
    const text = token.slice(1);
    if (isPrincipal(text)) return literal(principal(text));
    const [contract, name] = text.split(/\.(?=[^.]*$)/);
    if (contract !== undefined && name !== undefined && isPrincipal(contract) && isClarityName(name)) {
      return { kind: 'path', text };
    }
    throw new ClarityError(`invalid principal literal: ${token}`);
  }
  if (token.startsWith('.') && token.slice(1).split('.').every(isContractName)) return { kind: 'path', text: token };
  if (/^<.+>$/.test(token) && isClarityName(token.slice(1, -1))) return { kind: 'trait', text: token.slice(1, -1) };
  if (Object.hasOwn(literalNames, token)) return literal(literalNames[token]!);
  if (isClarityName(token)) return { kind: 'name', text: token };
  throw new ClarityError(`illegal name (clarity name), '${token.slice(0, 40)}'`);
}

function bounded(digits: string, largest: bigint): bigint {
  const value = BigInt(digits);
  if (value > largest || value < -largest - 1n) throw new ClarityError(`Failed to parse int literal '${digits}'`);
  return value;
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', 0: '\0' };

const unescaped = (text: string) =>
  text.replace(/\\(?:u\{([0-9a-fA-F]+)\}|(.))/g, (_, code: string | undefined, character: string) => {
    if (code === undefined) return escapes[character] ?? character;
    const point = Number.parseInt(code, 16);
    if (point > 0x10ffff) throw new ClarityError(`invalid unicode escape ${code}`);
    return String.fromCodePoint(point);
  });
