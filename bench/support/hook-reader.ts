import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type StreamEvent, verifyWebhook } from '@cairn-stacks/client';
import type { FeedReader } from './feed-readers.ts';

/** Networks to which the service must be allowed to send. */
export const hookNetworks = '127.0.0.1';

type Kept = { height: number; hash: string; transfers: Map<string, string> };

/** What a receiver of a webhook has stored, with blocks and transfers as keys: a message may arrive twice. */
class HookRecord {
  readonly blocks: Kept[] = [];
  /** Messages that do not fit to what was stored before them. */
  outOfOrder = 0;

  take(message: StreamEvent): void {
    if (message.type === 'mempool') return;
    if (message.type === 'rollback') {
      while (this.blocks.length > 0 && this.blocks.at(-1)!.height > message.to.height) this.blocks.pop();
      if (this.blocks.length > 0 && this.blocks.at(-1)!.height !== message.to.height) this.outOfOrder++;
      return;
    }
    const { block, transfers = [] } = message;
    let kept = this.blocks.find(({ height }) => height === block.height);
    if (!kept) {
      if (this.blocks.length > 0 && this.blocks.at(-1)!.height + 1 !== block.height) this.outOfOrder++;
      kept = { height: block.height, hash: block.index_block_hash, transfers: new Map() };
      this.blocks.push(kept);
    }
    if (kept.hash !== block.index_block_hash) this.outOfOrder++;
    for (const { tx_id, event_index } of transfers) kept.transfers.set(`${tx_id} ${event_index}`, tx_id);
  }
}

/** A receiver of a webhook, which it adds by the admin routes. A kill loses the next request before or after it was stored. */
export async function hookReader(admin: string, name: string): Promise<FeedReader> {
  const record = new HookRecord();
  let kills = 0;
  let secret = '';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isKilled = kills > 0;
    if (isKilled) kills--;
    if (isKilled && kills % 2 === 0) return void response.destroy();
    const { type, data } = await verifyWebhook(Buffer.concat(chunks), request.headers, secret);
    if (type === 'cairn.batch') for (const message of data.messages) record.take(message);
    if (isKilled) response.destroy();
    else response.writeHead(204).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(admin + path, { method, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { secret: string; state: string };
  };
  const filter = { topics: ['blocks', 'transfers'], event_type: ['stx_transfer'] };
  secret = (await ask('POST', '', { name, url, filter, start: 1, batch: 5 })).secret;
  return {
    kill() {
      kills = Math.min(kills + 1, 3);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
    },
    async tip() {
      // An operator does not wait for the next attempt.
      if ((await ask('GET', `/${name}`)).state !== 'active') await ask('POST', `/${name}/resume`, {});
      return record.blocks.at(-1)?.hash;
    },
    blocks: async () => record.blocks.map(({ hash, transfers }) => ({ hash, transfers: [...transfers.values()] })),
    faultsOfOrder: () => ({ repeated: 0, outOfOrder: record.outOfOrder }),
  };
}
