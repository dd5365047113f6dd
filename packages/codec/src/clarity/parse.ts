import { fromHex } from '../hex.ts';
import { bool, buffer, int, list, none, principal, stringAscii, stringUtf8, uint } from './build.ts';
import { MAX_DEPTH } from './prefix.ts';
import type { ClarityValue, TupleEntry } from './value.ts';

/** A text that is not a value; the message names what was expected and the character where reading stopped. */
export class ClaritySyntaxError extends Error {
  override name = 'ClaritySyntaxError';
}

/**
 * Reads a value as Clarity writes it: `u5`, `"text"`, `(some 0xab)`, `(list u1 u2)`, `{a: 1}`, `(tuple (a 1))`. Checksums of
 * addresses and the limits of integers are checked when the value is encoded.
 */
export function parseClarity(text: string): ClarityValue {
  const parser = new Parser(text);
  const value = parser.value(1);
  parser.end();
  return value;
}

/** Reads a value as `parseClarity` does; undefined for a text that is not a value. */
export function tryParseClarity(text: string): ClarityValue | undefined {
  try {
    return parseClarity(text);
  } catch (error) {
    if (error instanceof ClaritySyntaxError) return undefined;
    throw error;
  }
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) throw this.#error('nothing more');
  }

  value(depth: number): ClarityValue {
    if (depth > MAX_DEPTH) throw this.#error('a value that is less deep');
    this.#space();
    if (this.#take('{')) return this.#record(depth);
    if (this.#take('(')) return this.#form(depth);
    if (this.#take('u"')) return stringUtf8(this.#string(true));
    if (this.#take('"')) return stringAscii(this.#string(false));
    return atom(this.#word()) ?? this.#fail('a value');
  }

  #form(depth: number): ClarityValue {
    const head = this.#word();
    const value = (): ClarityValue => {
      const inner = this.value(depth + 1);
      this.#expect(')');
      return inner;
    };
    switch (head) {
      case 'some':
      case 'ok':
      case 'err':
        return { type: head, value: value() };
      case 'list': {
        const items: ClarityValue[] = [];
        while (!this.#closes(')')) items.push(this.value(depth + 1));
        return list(items);
      }
      case 'tuple': {
        const entries: TupleEntry[] = [];
        while (!this.#closes(')')) {
          this.#expect('(');
          const name = this.#word();
          entries.push({ name, value: this.value(depth + 1) });
          this.#expect(')');
        }
        return { type: 'tuple', entries };
      }
      default:
        return this.#fail('some, ok, err, list or tuple');
    }
  }

  #record(depth: number): ClarityValue {
    const entries: TupleEntry[] = [];
    while (!this.#closes('}')) {
      const name = this.#word();
      this.#expect(':');
      entries.push({ name, value: this.value(depth + 1) });
      this.#space();
      this.#take(',');
    }
    return { type: 'tuple', entries };
  }

  #string(unicode: boolean): string {
    let text = '';
    for (;;) {
      const character = this.#text[this.#at++];
      if (character === undefined) throw this.#error('the end of the string');
      if (character === '"') return text;
      text += character === '\\' ? this.#escape(unicode) : character;
    }
  }

  #escape(unicode: boolean): string {
    const code = unicode ? /^u\{([0-9a-fA-F]{1,6})\}/.exec(this.#text.slice(this.#at, this.#at + 10)) : null;
    if (code) {
      this.#at += code[0].length;
      const point = Number.parseInt(code[1]!, 16);
      if (point > 0x10_ffff) throw this.#error('a character');
      return String.fromCodePoint(point);
    }
    const character = this.#text[this.#at++];
    const known: Record<string, string> = { n: '\n', t: '\t', r: '\r', '0': '\0', '"': '"', '\\': '\\' };
    const plain = character === undefined ? undefined : known[character];
    return plain ?? this.#fail('an escape');
  }

  #word(): string {
    this.#space();
    const match = /^[^\s(){}",:]+/.exec(this.#text.slice(this.#at, this.#at + 4096));
    if (!match) throw this.#error('a word');
    this.#at += match[0].length;
    // A buffer may be longer than one slice.
    if (match[0].length === 4096) return match[0] + this.#rest();
    return match[0];
  }

  #rest(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !/[\s(){}",:]/.test(this.#text[this.#at]!)) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  #space(): void {
    while (this.#at < this.#text.length && /\s/.test(this.#text[this.#at]!)) this.#at++;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #closes(text: string): boolean {
    this.#space();
    return this.#take(text);
  }

  #expect(text: string): void {
    if (!this.#closes(text)) throw this.#error(text);
  }

  #fail(wanted: string): never {
    throw this.#error(wanted);
  }

  #error(wanted: string): ClaritySyntaxError {
    return new ClaritySyntaxError(`expected ${wanted} at character ${this.#at + 1}`);
  }
}

function atom(word: string): ClarityValue | undefined {
  if (word === 'none') return none;
  if (word === 'true' || word === 'false') return bool(word === 'true');
  if (/^u\d{1,39}$/.test(word)) return uint(BigInt(word.slice(1)));
  if (/^-?\d{1,39}$/.test(word)) return int(BigInt(word));
  if (/^0x([0-9a-fA-F]{2})*$/.test(word)) return buffer(fromHex(word));
  const [, text] = /^'?(S[0-9A-Z]{20,50}(\.[a-zA-Z][\w-]{0,127})?)$/.exec(word) ?? [];
  return text === undefined ? undefined : principal(text);
}
