import type { ClarityTree } from './value.ts';

/** Deeper than any value of the chain; protects the stack from texts that nobody can mean. */
const MAX_DEPTH = 64;

export class ClaritySyntaxError extends Error {}

/** Reads a value as Clarity writes it: `u5`, `"text"`, `(some 0xab)`, `(list u1 u2)`, `{a: 1}`, `(tuple (a 1))`. */
export function parseClarity(text: string): ClarityTree {
  const parser = new Parser(text);
  const value = parser.value(0);
  parser.end();
  return value;
}

/** The same, but undefined for a text that is not a value. */
export function tryParseClarity(text: string): ClarityTree | undefined {
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

  value(depth: number): ClarityTree {
    if (depth > MAX_DEPTH) throw this.#error('a value that is less deep');
    this.#space();
    if (this.#take('{')) return this.#record(depth);
    if (this.#take('(')) return this.#form(depth);
    if (this.#take('u"')) return { kind: 'utf8', text: this.#string(true) };
    if (this.#take('"')) return { kind: 'ascii', text: this.#string(false) };
    return atom(this.#word()) ?? this.#fail('a value');
  }

  #form(depth: number): ClarityTree {
    const head = this.#word();
    const value = (): ClarityTree => {
      const inner = this.value(depth + 1);
      this.#expect(')');
      return inner;
    };
    switch (head) {
      case 'some':
      case 'ok':
      case 'err':
        return { kind: head, value: value() };
      case 'list': {
        const items: ClarityTree[] = [];
        while (!this.#closes(')')) items.push(this.value(depth + 1));
        return { kind: 'list', items };
      }
      case 'tuple': {
        const fields: { name: string; value: ClarityTree }[] = [];
        while (!this.#closes(')')) {
          this.#expect('(');
          const name = this.#word();
          fields.push({ name, value: this.value(depth + 1) });
          this.#expect(')');
        }
        return { kind: 'tuple', fields };
      }
      default:
        return this.#fail('some, ok, err, list or tuple');
    }
  }

  #record(depth: number): ClarityTree {
    const fields: { name: string; value: ClarityTree }[] = [];
    while (!this.#closes('}')) {
      const name = this.#word();
      this.#expect(':');
      fields.push({ name, value: this.value(depth + 1) });
      this.#space();
      this.#take(',');
    }
    return { kind: 'tuple', fields };
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

function atom(word: string): ClarityTree | undefined {
  if (word === 'none') return { kind: 'none', text: 'none' };
  if (word === 'true' || word === 'false') return { kind: 'bool', text: word };
  if (/^u\d+$/.test(word)) return { kind: 'uint', text: word.slice(1) };
  if (/^-?\d+$/.test(word)) return { kind: 'int', text: word };
  if (/^0x([0-9a-fA-F]{2})*$/.test(word)) return { kind: 'buffer', text: word };
  const principal = /^'?(S[0-9A-Z]{20,50}(\.[a-zA-Z][\w-]{0,127})?)$/.exec(word);
  return principal ? { kind: 'principal', text: principal[1]! } : undefined;
}
