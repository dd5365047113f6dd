/** Bytes or text that violate the format; `offset` is the byte (or character) where reading stopped. */
export class CodecError extends Error {
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(`${problem} at byte ${offset}`);
    this.name = 'CodecError';
    this.offset = offset;
  }
}

/** A code that this program has no meaning for: a newer format, as opposed to broken bytes. */
export class UnknownCodeError extends CodecError {
  /** The kind of the code, such as `payload type`. */
  readonly what: string;
  readonly code: number;

  constructor(what: string, code: number, offset: number) {
    super(`unknown ${what} ${code}`, offset);
    this.what = what;
    this.code = code;
  }
}
