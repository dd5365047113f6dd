import { afterAll, beforeAll } from 'vitest';
import { sampleChain } from '../../bench/support/sample-chain.ts';
import { drawSamples } from '../../bench/support/samples.ts';
import { openApiOf } from '../../src/api/docs/openapi.ts';
import { finishBulkLoad } from '../../src/ingest/load/bulk-load.ts';
import { startApi } from './api.ts';
import { foldAll, testNetwork, until } from './service.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** The API on a busy generated chain with a mempool, with values to ask for and the document that describes it. */
export async function startSampleApi(t: Parameters<typeof startApi>[0], blocks = 40) {
  const api = await startApi(t);
  const network = { ...testNetwork, name: 'testnet' as const };
  const shape = { blocks, transactions: 12, principals: 120, whale: 0.3, waiting: 3, network };
  await foldAll(api.database, [...sampleChain(shape)], { bulk: true });
  await finishBulkLoad(api.database.sql, quiet);
  await api.tip.refresh();
  await until(async () => api.tip.current?.height === blocks);
  return { ...api, samples: await drawSamples(api.database.sql, 30), document: openApiOf(api.app) };
}

export type SampleApi = Awaited<ReturnType<typeof startSampleApi>>;

/** One such API for all tests of a file; `ready` is called once it is there. */
export function sampleApi(ready: (api: SampleApi) => Promise<void> | void): void {
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    await ready(await startSampleApi({ onTestFinished: end => void ends.unshift(end) }));
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
}
