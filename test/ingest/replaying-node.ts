import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { blockBytes } from '@cairn-stacks/devnet/chain/stored/block-record';
import { Healer, type HealerOptions } from '../../src/ingest/heal/healer.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { NodeRpc } from '../../src/node/rpc.ts';
import type { TestDatabase } from '../support/database.ts';

export type Body = Record<string, unknown> & {
  transactions: Record<string, unknown>[];
  events: Record<string, unknown>[];
};
export const bare = (hex: unknown) => String(hex).replace(/^0x/, '');

/** What a node answers when it is asked to execute a block once more. */
function replayOf(block: BuiltBlock): object {
  const body = block.body as Body;
  return {
    block_id: bare(body.index_block_hash),
    parent_block_id: bare(body.parent_index_block_hash),
    block_hash: bare(body.block_hash),
    block_height: body.block_height,
    timestamp: body.block_time,
    consensus_hash: bare(body.consensus_hash),
    miner_signature: bare(body.miner_signature),
    signer_signature: (body.signer_signature as string[]) ?? [],
    valid_merkle_root: true,
    transactions: body.transactions.map(tx => ({
      tx_index: tx.tx_index,
      txid: bare(tx.txid),
      hex: bare(tx.raw_tx),
      result_hex: bare(tx.raw_result),
      execution_cost: tx.execution_cost,
      post_condition_aborted: tx.status === 'abort_by_post_condition',
      vm_error: tx.vm_error,
      data: null,
      events: body.events.filter(event => event.txid === tx.txid),
    })),
  };
}

type Context = { onTestFinished(work: () => Promise<void>): void };

/** A node that serves replayed blocks to whoever knows its secret. */
export async function startNode(
  t: Context,
  blocks: BuiltBlock[],
  secret = 'secret',
): Promise<{ url: string; asked: string[]; interfaces: number; pox: number }> {
  const node = { url: '', asked: [] as string[], interfaces: 404, pox: 404 };
  const byId = new Map(blocks.map(block => [bare((block.body as Body).index_block_hash), block]));
  const { asked } = node;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const replayed = /^\/v3\/blocks\/replay\/([0-9a-f]{64})$/.exec(path)?.[1];
    if (replayed !== undefined) {
      if (request.headers.authorization !== secret) return answer(401, { error: 'unauthorized' });
      const block = byId.get(replayed);
      return block ? answer(200, replayOf(block)) : answer(404, {});
    }
    const raw = /^\/v3\/blocks\/([0-9a-f]{64})$/.exec(path)?.[1];
    if (raw !== undefined) {
      const block = byId.get(raw);
      if (!block) return answer(404, {});
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      return response.end(blockBytes(block));
    }
    if (path.startsWith('/v2/pox')) return answer(node.pox, {});
    if (path.startsWith('/v2/contracts/interface/')) return answer(node.interfaces, { functions: [] });
    const consensus = /^\/v3\/sortitions\/consensus\/([0-9a-f]{40})$/.exec(path)?.[1];
    const of = blocks.find(block => bare((block.body as Body).consensus_hash) === consensus)?.body as Body | undefined;
    if (!of) return answer(404, {});
    answer(200, [
      {
        burn_block_hash: of.burn_block_hash,
        burn_block_height: of.burn_block_height,
        burn_header_timestamp: of.burn_block_time,
      },
    ]);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => new Promise(resolve => server.close(() => resolve())));
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return node;
}

export function startHealer(
  t: Context,
  db: TestDatabase,
  url: string,
  auth: string | undefined,
  lines: string[] = [],
  options: Partial<HealerOptions> = {},
): Healer {
  const line = (_: object, message: string) => void lines.push(message);
  const node = new NodeRpc({ url, headers: {}, auth }, { connections: 2, timeoutMs: 5_000 });
  const events = new EventLog(db.sql);
  const log = { info: line, warn: line, error: line };
  const healer = new Healer({ sql: db.sql, events, nodes: [node], log, everyMs: 10, patienceMs: 0, ...options });
  healer.start();
  t.onTestFinished(async () => {
    await healer.stop();
    await events.close();
  });
  return healer;
}
