import { Random } from '@cairn-stacks/devnet/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPosition } from '../../src/chain/position.ts';
import { Backlog } from '../../src/http/limits/backlog.ts';
import { ConnectionCounts } from '../../src/http/limits/connection-counts.ts';
import { createLog } from '../../src/log.ts';
import { Streams } from '../../src/stream/streams.ts';
import { openView } from '../../src/stream/view.ts';
import { plans, playPlan } from '../model/history.ts';
import { testDatabase } from '../support/database.ts';
import { emptyTables } from '../support/dump.ts';
import { rawMoves } from '../support/raw-facts.ts';
import { historiesOf, historyTimeout, playHistories, propertySeed } from '../support/seed.ts';
import { foldAll } from '../support/service.ts';

type Block = { height: number; index_block_hash: string };
type Transfer = { tx_id: string; event_index: number; amount: string };
type Message =
  | { type: 'apply'; position: string; block: Block; transfers?: Transfer[]; more: boolean }
  | { type: 'rollback'; position: string; to: Block; removed: string[] };

/** A client that keeps what it received: a chain of blocks, each with its transfers. */
class Client {
  position: string | undefined;
  blocks: { hash: string; height: number; transfers: Transfer[]; more: boolean }[] = [];

  receive(message: Message): void {
    this.position = message.position;
    const top = this.blocks.at(-1);
    if (message.type === 'rollback') {
      for (const hash of message.removed) if (this.blocks.at(-1)?.hash === hash) this.blocks.pop();
      expect(this.blocks.at(-1)?.height ?? -1).toBe(this.blocks.length === 0 ? -1 : message.to.height);
      if (this.blocks.length > 0) expect(this.blocks.at(-1)!.hash).toBe(message.to.index_block_hash);
      return;
    }
    const { block, transfers = [], more } = message;
    if (top?.more) {
      expect(block.index_block_hash).toBe(top.hash);
      top.transfers.push(...transfers);
      top.more = more;
      return;
    }
    if (top) expect(block.height).toBe(top.height + 1);
    this.blocks.push({ hash: block.index_block_hash, height: block.height, transfers, more });
  }
}

test(`whatever arrives and wherever readers stop, they have the canonical chain (seed ${propertySeed})`, {
  timeout: historyTimeout,
}, async t => {
  const db = await testDatabase(t);
  const limits = {
    maxConnections: 1,
    counts: new ConnectionCounts(1),
    backlog: new Backlog(1),
    clientOf: () => undefined,
  };
  const log = createLog({ level: 'silent', format: 'json' });
  const view = openView(['blocks', 'transfers'], {});

  const check = async (plan: Parameters<typeof playPlan>[0]) => {
    await emptyTables(db.sql);
    const { pieces, canonical } = playPlan(plan);
    const random = new Random(plan.seed);
    const streams = new Streams({ sql: db.sql, source: { current: undefined }, limits, heightWaitMs: 0, log });
    const clients = [new Client(), new Client(), new Client()];
    /** Reads a page; a client that is killed in the middle goes on from what it has kept. */
    const read = async (client: Client, limit: number, kept: number) => {
      const start = client.position ? readPosition(client.position)! : await streams.feed.before(0);
      const { messages, atTip } = await streams.page(start, view, limit);
      for (const message of messages.slice(0, kept)) client.receive(JSON.parse(message));
      return atTip && kept >= messages.length;
    };
    for (const { messages } of pieces) {
      await foldAll(db, messages, { batchBlocks: plan.batchBlocks });
      for (const client of clients) if (random.below(3) > 0) await read(client, 1 + random.below(4), random.below(5));
    }
    streams.stop();
    const chain = canonical.filter(({ height }) => height > 0);
    const moves = rawMoves(canonical as unknown as Parameters<typeof rawMoves>[0]);
    for (const client of clients) {
      while (!(await read(client, 3, 3)));
      expect(client.blocks.map(({ hash }) => hash)).toEqual(chain.map(({ indexHash }) => indexHash));
      const key = ({ tx_id, event_index, amount }: Transfer) => `${tx_id} ${event_index} ${amount}`;
      expect(client.blocks.flatMap(({ transfers }) => transfers.map(key)).sort()).toEqual(moves.map(key).sort());
    }
  };
  await playHistories('streams', fc.asyncProperty(plans, check), historiesOf(0.5));
});
