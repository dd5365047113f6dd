/** Bytes or text that are not what the format says; `offset` is the byte (or character) where reading stopped. */
export class CodecError extends Error {
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(`${problem} at byte ${offset}`);
    this.name = 'CodecError';
    this.offset = offset;
  }
}
