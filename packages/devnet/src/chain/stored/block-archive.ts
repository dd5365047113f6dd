import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import type { BlockRecord } from './block-record.ts';

/** Number of stored blocks; a real node stores all of them. */
const maxLines = 300;

/** The newest blocks in a file, one line each, so that they are served after a restart. */
export class BlockArchive {
  readonly #file: string;
  #lines: string[] = [];
  /** Number of lines in the file. */
  #written = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Reads the blocks of an earlier process; an incomplete last line is skipped. */
  async read(): Promise<BlockRecord[]> {
    const text = await readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const whole = text.split('\n').slice(0, -1);
    this.#lines = whole.slice(-maxLines);
    await this.#rewrite();
    return this.#lines.map(line => JSON.parse(line) as BlockRecord);
  }

  /** Removes the blocks of another chain. */
  async clear(): Promise<void> {
    this.#lines = [];
    await this.#rewrite();
  }

  async add(records: readonly BlockRecord[]): Promise<void> {
    if (records.length === 0) return;
    const lines = records.map(record => JSON.stringify(record));
    this.#lines = [...this.#lines, ...lines].slice(-maxLines);
    this.#written += lines.length;
    if (this.#written > 2 * maxLines) await this.#rewrite();
    else await appendFile(this.#file, lines.map(line => `${line}\n`).join(''), { mode: 0o600 });
  }

  async #rewrite(): Promise<void> {
    await writeFile(`${this.#file}.new`, this.#lines.map(line => `${line}\n`).join(''), { mode: 0o600 });
    await rename(`${this.#file}.new`, this.#file);
    this.#written = this.#lines.length;
  }
}
