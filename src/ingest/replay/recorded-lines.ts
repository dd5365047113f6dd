import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { messageOf } from '../../errors.ts';

/** One line of a file without its line ending, and its position. */
export type Line = {
  /** Its bytes in parts, which are pieces of what was read: a long line is not copied. There is at least one. */
  parts: Buffer[];
  size: number;
  /** Counted from 1. */
  line: number;
  /** Where the next line begins, in bytes after decompression. */
  end: number;
  /** False for a last line that no newline ends. */
  ended: boolean;
};

export type LinesOptions = {
  /** Begin after this line, which ends at this byte. */
  after?: { line: number; end: number };
  maxLineBytes: number;
  /** Called with the number of bytes of the file that have been read. */
  onRead?: (fileBytes: number) => void;
};

/** The file could not be read as recorded events; the message names the file and the line. */
export class RecordedFileError extends Error {
  override name = 'RecordedFileError';
}

const NEWLINE = 0x0a;
/** Longer lines stay in parts. */
const longBytes = 8 << 20;
/** Small, since one read of a compressed file may unpack to a thousand times as much. */
const COMPRESSED_READ_BYTES = 32 << 10;
const PLAIN_READ_BYTES = 1 << 20;

/** The lines of a plain or gzip file in order, with one line and one read in memory at a time. */
export async function* readLines(file: string, options: LinesOptions): AsyncGenerator<Line, void, void> {
  const after = options.after ?? { line: 0, end: 0 };
  const compressed = await isGzip(file);
  // A compressed file has no place to jump to: it is unpacked from its start and the known part dropped.
  const start = compressed ? 0 : after.end;
  let read = start;
  const raw = createReadStream(file, { start, highWaterMark: compressed ? COMPRESSED_READ_BYTES : PLAIN_READ_BYTES });
  const onChunk = (chunk: Buffer) => {
    read += chunk.length;
    options.onRead?.(read);
  };
  const splitter = new Splitter(file, after, options.maxLineBytes);
  let skip = after.end - start;
  try {
    for await (const chunk of compressed ? gunzip(raw, onChunk) : tap(raw, onChunk)) {
      const dropped = Math.min(skip, chunk.length);
      skip -= dropped;
      if (dropped < chunk.length) yield* splitter.push(chunk.subarray(dropped));
    }
  } catch (error) {
    if (error instanceof RecordedFileError) throw error;
    const reason = isTruncation(error) ? 'the compressed file is cut off' : `it cannot be read: ${messageOf(error)}`;
    throw new RecordedFileError(`${file}: ${reason} after line ${splitter.line}, at byte ${splitter.end}`, {
      cause: error,
    });
  } finally {
    raw.destroy();
  }
  yield* splitter.finish();
}

/** One buffer with the bytes of all parts. */
export const joined = (parts: readonly Buffer[], size?: number): Buffer =>
  parts.length === 1 ? parts[0]! : Buffer.concat(parts, size);

class Splitter {
  readonly #file: string;
  readonly #maxBytes: number;
  #open: Buffer[] = [];
  #openBytes = 0;
  /** Bytes that were taken, after decompression. */
  #end: number;
  line: number;

  constructor(file: string, after: { line: number; end: number }, maxBytes: number) {
    this.#file = file;
    this.#maxBytes = maxBytes;
    this.line = after.line;
    this.#end = after.end;
  }

  get end(): number {
    return this.#end;
  }

  *push(chunk: Buffer): Generator<Line, void, void> {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#append(chunk.subarray(from, at));
      this.#end += 1;
      yield this.#take(true);
      from = at + 1;
    }
    // A copy would double the memory; the chunk is held until its line ends.
    if (from < chunk.length) this.#append(chunk.subarray(from));
  }

  *finish(): Generator<Line, void, void> {
    if (this.#openBytes > 0) yield this.#take(false);
  }

  #append(part: Buffer): void {
    this.#open.push(part);
    this.#openBytes += part.length;
    this.#end += part.length;
    if (this.#openBytes > this.#maxBytes) {
      throw new RecordedFileError(
        `${this.#file}: line ${this.line + 1} is longer than ${this.#maxBytes} bytes, at byte ${this.#end}`,
      );
    }
  }

  #take(ended: boolean): Line {
    const size = this.#openBytes;
    const parts = size > longBytes ? this.#open : [joined(this.#open, size)];
    this.#open = [];
    this.#openBytes = 0;
    this.line += 1;
    return { parts, size, line: this.line, end: this.#end, ended };
  }
}

async function* tap(source: AsyncIterable<Buffer>, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    onChunk(chunk);
    yield chunk;
  }
}

/**
 * Unpacks without a pipe, since a piped stream that fails drops unpacked bytes: here every byte before a cut is given
 * out, and the error comes after them.
 */
async function* gunzip(source: AsyncIterable<Buffer>, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  const unpacked: Buffer[] = [];
  let failure: Error | undefined;
  const stream = createGunzip({ chunkSize: 256 << 10 });
  stream.on('data', (chunk: Buffer) => unpacked.push(chunk));
  const closed = new Promise<void>(resolve => stream.once('close', resolve));
  stream.on('error', error => {
    failure = error;
  });
  try {
    for await (const chunk of source) {
      onChunk(chunk);
      await Promise.race([new Promise<void>(resolve => stream.write(chunk, () => resolve())), closed]);
      yield* unpacked.splice(0);
      if (failure) throw failure;
    }
    stream.end();
    await closed;
    yield* unpacked.splice(0);
    if (failure) throw failure;
  } finally {
    stream.destroy();
  }
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file).catch((error: Error) => {
    throw new RecordedFileError(`${file} cannot be opened: ${error.message}`, { cause: error });
  });
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } catch (error) {
    throw new RecordedFileError(`${file} cannot be read: ${messageOf(error)}`, { cause: error });
  } finally {
    await handle.close();
  }
}

const isTruncation = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
