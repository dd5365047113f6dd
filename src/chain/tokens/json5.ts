import { CodecError } from '@cairn-stacks/codec/error';

/** Nesting beyond this is an error, so that no caller has to fear for its stack. */
const MAX_DEPTH = 64;

const SPACE = /[\s\ufeff]/;
const IDENTIFIER = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /[+-]?(?:0[xX][0-9a-fA-F]+|Infinity|NaN|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y;
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0' },
  ...{ '\n': '', '\u2028': '', '\u2029': '' },
};
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Reads JSON5 (https://spec.json5.org): JSON with comments, trailing commas, single quotes, plain keys and more forms of
 * numbers. Keys named `__proto__` are left out. Throws a CodecError.
 */
export function parseJson5(text: string): unknown {
  const reader = new Json5Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Json5Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw this.#error(`more than ${MAX_DEPTH} levels`);
    const first = this.#skip();
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    if (first === '"' || first === "'") return this.#string();
    const number = this.#match(NUMBER);
    if (number !== undefined) return numberOf(number);
    const word = this.#match(IDENTIFIER);
    if (word === undefined || !WORDS.has(word)) throw this.#error('no value');
    return WORDS.get(word);
  }

  /** Only white space and comments may follow. */
  end(): void {
    if (this.#skip() !== undefined) throw this.#error('text after the value');
  }

  #object(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    this.#at++;
    while (this.#skip() !== '}') {
      const key = this.#key();
      if (this.#skip() !== ':') throw this.#error('no colon after a key');
      this.#at++;
      const value = this.value(depth + 1);
      if (key !== '__proto__') entries.push([key, value]);
      this.#separator('}');
    }
    this.#at++;
    return Object.fromEntries(entries);
  }

  #array(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#at++;
    while (this.#skip() !== ']') {
      items.push(this.value(depth + 1));
      this.#separator(']');
    }
    this.#at++;
    return items;
  }

  /** A comma, or nothing before the closing bracket. */
  #separator(closing: string): void {
    const next = this.#skip();
    if (next === ',') this.#at++;
    else if (next !== closing) throw this.#error(`neither a comma nor ${closing}`);
  }

  #key(): string {
    const first = this.#text[this.#at];
    if (first === '"' || first === "'") return this.#string();
    const name = this.#match(IDENTIFIER);
    if (name === undefined) throw this.#error('no key');
    return name;
  }

  #string(): string {
    const quote = this.#text[this.#at++]!;
    const parts: string[] = [];
    let from = this.#at;
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined || char === '\n' || char === '\r') throw this.#error('a string without an end');
      if (char === quote) break;
      if (char !== '\\') {
        this.#at++;
        continue;
      }
      parts.push(this.#text.slice(from, this.#at), this.#escape());
      from = this.#at;
    }
    parts.push(this.#text.slice(from, this.#at++));
    return parts.join('');
  }

  #escape(): string {
    const char = this.#text[this.#at + 1];
    if (char === undefined) throw this.#error('a string without an end');
    this.#at += 2;
    if (char === 'x') return this.#hex(2);
    if (char === 'u') return this.#hex(4);
    // A line may end with a carriage return and a line feed.
    if (char === '\r') {
      if (this.#text[this.#at] === '\n') this.#at++;
      return '';
    }
    return ESCAPES[char] ?? char;
  }

  #hex(digits: number): string {
    const text = this.#text.slice(this.#at, this.#at + digits);
    if (text.length < digits || !/^[0-9a-fA-F]+$/.test(text)) throw this.#error('a wrong escape');
    this.#at += digits;
    return String.fromCharCode(Number.parseInt(text, 16));
  }

  /** Skips white space and comments; returns the next character. */
  #skip(): string | undefined {
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined) return undefined;
      if (char === '/') this.#comment();
      else if (SPACE.test(char)) this.#at++;
      else return char;
    }
  }

  #comment(): void {
    const kind = this.#text[this.#at + 1];
    if (kind !== '/' && kind !== '*') throw this.#error('a slash');
    const end = kind === '*' ? this.#text.indexOf('*/', this.#at + 2) : this.#text.indexOf('\n', this.#at);
    if (kind === '*' && end < 0) throw this.#error('a comment without an end');
    if (end < 0) this.#at = this.#text.length;
    else this.#at = kind === '*' ? end + 2 : end + 1;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #error(problem: string): CodecError {
    return new CodecError(problem, this.#at);
  }
}

/** `Number` reads no sign before hex digits. */
function numberOf(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  return sign * Number(text.replace(/^[+-]/, ''));
}
