import { setTimeout as sleep } from 'node:timers/promises';
import { AckPolicy, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { FeedReader } from './feed-readers.ts';

const STREAM = 'CAIRN';
/** After this time the broker gives to somebody else what a killed consumer has not acknowledged. */
const ACK_MS = 500;
const NANOS_PER_MS = 1_000_000;

type Kept = { height: number; hash: string; transfers: string[]; whole: boolean };

/** What a consumer of the broker has stored, with ids as keys: what it did not acknowledge is delivered again. */
class BrokerRecord {
  readonly blocks: Kept[] = [];
  /** Messages that the stream has twice. */
  repeated = 0;
  /** Messages that do not fit to what was stored before them. */
  outOfOrder = 0;
  readonly #sequences = new Map<string, number>();

  take(message: JsMsg): void {
    const id = message.headers!.get('Nats-Msg-Id');
    const known = this.#sequences.get(id);
    if (known !== undefined) {
      if (known !== message.seq) this.repeated++;
      return;
    }
    this.#sequences.set(id, message.seq);
    const body = message.json<{
      type: string;
      to: { height: number };
      block: { height: number; index_block_hash: string };
      transfers?: { tx_id: string; asset: string; type: string }[];
    }>();
    const { blocks } = this;
    if (body.type === 'rollback') {
      while (blocks.length > 0 && blocks.at(-1)!.height > body.to.height) blocks.pop();
      if (blocks.length > 0 && blocks.at(-1)!.height !== body.to.height) this.outOfOrder++;
      return;
    }
    const { height, index_block_hash: hash } = body.block;
    let kept = blocks.at(-1);
    if (kept?.height !== height) {
      if (kept && (kept.height + 1 !== height || !kept.whole)) this.outOfOrder++;
      kept = { height, hash, transfers: [], whole: false };
      blocks.push(kept);
    } else if (kept.whole || kept.hash !== hash) this.outOfOrder++;
    for (const { tx_id, asset, type } of body.transfers ?? [])
      if (asset === 'STX' && type === 'transfer') kept.transfers.push(tx_id);
    if (message.subject === 'cairn.blocks') kept.whole = true;
  }
}

/** A durable consumer of what is published. A kill ends its connection before it has acknowledged what it stored. */
export function brokerReader(address: string, name: string): FeedReader {
  const record = new BrokerRecord();
  let connection: NatsConnection | undefined;
  let killed = false;
  let stopped = false;
  const live = async () => {
    killed = false;
    const opened = await connect({ servers: address, reconnect: false, timeout: 2_000 });
    connection = opened;
    try {
      const manager = await jetstreamManager(opened);
      await manager.consumers.add(STREAM, {
        durable_name: name,
        ack_policy: AckPolicy.Explicit,
        ack_wait: ACK_MS * NANOS_PER_MS,
        max_ack_pending: 1,
        filter_subjects: ['cairn.blocks', 'cairn.transfers', 'cairn.rollback'],
      });
      const consumer = await jetstream(opened).consumers.get(STREAM, name);
      const messages = await consumer.consume();
      void opened.closed().then(() => messages.stop());
      for await (const message of messages) {
        record.take(message);
        if (killed) return;
        message.ack();
      }
    } finally {
      await opened.close();
    }
  };
  const run = async () => {
    while (!stopped) {
      // The broker is away, has no stream yet, or the consumer was killed: its supervisor starts it again.
      await live().catch(() => {});
      if (!stopped) await sleep(50);
    }
  };
  const running = run();
  return {
    kill() {
      killed = true;
    },
    async stop() {
      stopped = true;
      await connection?.close();
      await running;
    },
    async tip() {
      const last = record.blocks.at(-1);
      return last?.whole ? last.hash : undefined;
    },
    blocks: async () => record.blocks,
    faultsOfOrder: () => ({ repeated: record.repeated, outOfOrder: record.outOfOrder }),
  };
}
