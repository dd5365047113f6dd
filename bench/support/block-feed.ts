import { type Message, messageText } from '@cairn-stacks/devnet/chain/message-text';
import { journalChannel } from '../../src/chain/journal.ts';
import type { BenchDatabase } from './bench-database.ts';
import { FoldWatch } from './fold-watch.ts';
import { Poster } from './poster.ts';
import { sampleChain } from './sample-chain.ts';
import type { Service } from './service.ts';
import { now } from './ws-crowd.ts';

/** Posts the messages of a chain; blocks wait for nothing or for those before them. */
export class BlockFeed {
  readonly #messages: Iterator<Message>;
  readonly #poster: Poster;
  readonly #watch: FoldWatch;
  #events = 0n;
  #committedAt = 0;

  private constructor(service: Service, database: BenchDatabase) {
    this.#messages = sampleChain({ blocks: 100_000, transactions: 100, principals: 2_000 });
    this.#poster = new Poster(service.observerPort);
    this.#watch = new FoldWatch(database.sql);
  }

  static async open(service: Service, database: BenchDatabase): Promise<BlockFeed> {
    const feed = new BlockFeed(service, database);
    await feed.#watch.start();
    await database.sql.listen(journalChannel, () => {
      feed.#committedAt = now();
    });
    for (let i = 0; i < 5; i++) await feed.alone();
    return feed;
  }

  close(): void {
    this.#poster.close();
  }

  /** Makes the messages of the next blocks, so that posting them is all that is timed. */
  prepare(blocks: number): { path: string; body: Buffer }[] {
    const prepared: { path: string; body: Buffer }[] = [];
    for (let made = 0; made < blocks; ) {
      const { path, body } = this.#messages.next().value as Message;
      if (path === '/new_block' && (body as { block_height: number }).block_height > 0) made++;
      prepared.push({ path, body: Buffer.from(messageText(body)) });
    }
    return prepared;
  }

  async post(messages: readonly { path: string; body: Buffer }[]): Promise<void> {
    for (const { path, body } of messages) {
      await this.#poster.post(path, body);
      this.#events++;
    }
    await this.#watch.until(position => position.event_id >= this.#events);
  }

  /** One block when all before it is folded; gives the moment it was committed. */
  async alone(): Promise<number> {
    const messages = this.prepare(1);
    const block = messages.pop()!;
    await this.post(messages);
    await this.post([block]);
    return this.#committedAt;
  }
}
