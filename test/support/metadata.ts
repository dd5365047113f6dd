import type { DevnetNode } from '@cairn-stacks/devnet/node/devnet-node';
import { callReadOnly } from '@cairn-stacks/devnet/rpc/contracts';
import type { Pool } from '../../src/db/client.ts';
import type { MetadataSource } from '../../src/metadata/metadata-source.ts';
import { MetadataWorker, type WorkerOptions } from '../../src/metadata/metadata-worker.ts';
import { defaultAges } from '../../src/metadata/token-results.ts';
import { type CallReadOnly, readOnlyCaller } from '../../src/node/read-only-call.ts';
import { until } from './service.ts';

/** Calls contracts of a devnet, without a connection. */
export const callerOf = (node: DevnetNode): CallReadOnly =>
  readOnlyCaller(async (path, json) => {
    const [address, name, functionName] = path.split('/').slice(-3);
    const response = callReadOnly(node, `${address}.${name}`, functionName!, Buffer.from(json));
    return 'json' in response ? JSON.stringify(response.json) : undefined;
  });

/** Reads `data:` URIs with JSON, and fails for all others as a careful source does. */
export const dataSource: MetadataSource = async (uri, number) => {
  const invalid = (message: string) => ({ failure: { code: 'metadata_invalid' as const, message, transient: false } });
  const [, base64, data] = /^data:application\/json(;base64)?,(.*)$/s.exec(uri) ?? [];
  if (data === undefined) {
    return { failure: { code: 'address_refused', message: 'only data: is read here', transient: false } };
  }
  const text = (base64 ? Buffer.from(data, 'base64').toString('utf8') : data).replaceAll('{id}', String(number));
  try {
    const raw = JSON.parse(text) as Record<string, never>;
    const { name, description, image, attributes, properties } = raw;
    if (typeof name !== 'string') return invalid('no name');
    return {
      metadata: { name, description, image, imageUrl: image, attributes, properties, raw } as never,
      locales: new Map(),
    };
  } catch {
    return invalid('not JSON');
  }
};

type Ending = { onTestFinished(work: () => Promise<void>): void };

/** A worker that looks often, on a database and with the contracts of a devnet. */
export function startWorker(
  t: Ending,
  sql: Pool,
  node: DevnetNode,
  options: Partial<WorkerOptions> = {},
): MetadataWorker {
  const worker = new MetadataWorker({
    ...{ sql, call: callerOf(node), nodeHeight: async () => node.tip.height, source: dataSource, fetching: 'all' },
    ...{ concurrency: 4, callsPerSecond: 10_000, fetches: 4, pollMs: 10, noticeMs: 0, ages: defaultAges },
    log: { info: () => {}, warn: () => {} },
    ...options,
  });
  worker.start();
  t.onTestFinished(() => worker.stop());
  return worker;
}

/** Waits until the worker has followed the chain to its tip and no job is due. */
export async function settled(sql: Pool): Promise<void> {
  await until(async () => {
    const [row] = await sql<{ done: boolean }[]>`
      select d.index_hash = p.index_hash and not exists (
        select 1 from token_jobs j where j.lease is not null or j.due <= now()
      ) as done
      from token_discovery d, fold_position p
    `;
    return row?.done;
  });
}
