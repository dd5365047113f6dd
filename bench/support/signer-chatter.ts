import { readRecordedEvents } from '../../src/ingest/replay/recorded-events.ts';
import type { Load } from './load.ts';
import { Poster } from './poster.ts';

/** The messages of signers about one block after another, posted at the pace of a chain from a connection of their own. */
export class SignerChatter {
  /** Posts by block. */
  readonly #blocks: Buffer[][];
  readonly #poster: Poster;
  readonly #timer: NodeJS.Timeout;
  #posting: Promise<void> = Promise.resolve();
  #block = 0;

  private constructor(blocks: Buffer[][], port: number, blocksPerSecond: number) {
    this.#blocks = blocks;
    this.#poster = new Poster(port);
    this.#timer = setInterval(() => this.#postBlock(), 1000 / blocksPerSecond);
  }

  static async start(load: Load, port: number, blocksPerSecond: number): Promise<SignerChatter> {
    const blocks: Buffer[][] = [[]];
    for await (const { path, body } of readRecordedEvents(load.file)) {
      if (path === '/stackerdb_chunks') blocks.at(-1)!.push(body);
      else if (blocks.at(-1)!.length > 0) blocks.push([]);
    }
    return new SignerChatter(blocks, port, blocksPerSecond);
  }

  /** Ends after the posts in hand; the number of blocks whose messages were posted. */
  async stop(): Promise<number> {
    clearInterval(this.#timer);
    await this.#posting;
    this.#poster.close();
    return this.#block;
  }

  #postBlock(): void {
    const posts = this.#blocks[this.#block++ % this.#blocks.length]!;
    this.#posting = this.#posting.then(async () => {
      for (const body of posts) await this.#poster.post('/stackerdb_chunks', body);
    });
  }
}
