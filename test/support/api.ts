import { parseNetwork } from '@cairn-stacks/codec/network';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ChainhookAccess } from '../../src/api/chainhooks/access.ts';
import type { ExplorerFiles } from '../../src/api/explorer/files.ts';
import type { ReadPicture } from '../../src/api/explorer/pictures.ts';
import type { Faucets } from '../../src/api/faucets/access.ts';
import { buildApi } from '../../src/api/server.ts';
import { ResponseCache } from '../../src/cache/response-cache.ts';
import { TipCache, type TipSource } from '../../src/cache/tip-cache.ts';
import type { PoxGeometry } from '../../src/chain/pox/geometry.ts';
import { apiReads, connect, type Pool } from '../../src/db/client.ts';
import type { Reads } from '../../src/db/reads.ts';
import type { RateGate } from '../../src/http/limits/rate-limits.ts';
import { createLog } from '../../src/log.ts';
import type { CallReadOnly } from '../../src/node/read-only-call.ts';
import type { SimulateTransaction } from '../../src/node/simulation.ts';
import type { Labels } from '../../src/read/names/labels.ts';
import { openReadCaches } from '../../src/read/read-caches.ts';
import type { ReadNodeBlock } from '../../src/read/transactions/proof-view.ts';
import { testDatabase } from './database.ts';

const log = createLog({ level: 'silent', format: 'json' });

/** What of a test's context is needed to end what was started for it. */
type Ending = { onTestFinished(work: () => Promise<void>): void };

type Shell = {
  deprecatedEndpoints?: boolean;
  network?: 'mainnet' | 'testnet';
  rates?: RateGate;
  faucets?: Faucets;
  explorer?: ExplorerFiles;
  pictures?: ReadPicture;
  labels?: Labels;
  routes?: FastifyPluginAsyncTypebox;
  itemBytes?: number;
  heightWaitMs?: number;
  pool?: Pool;
  reads?: Reads;
  callReadOnly?: CallReadOnly;
  readNodeBlock?: ReadNodeBlock;
  simulate?: SimulateTransaction;
  poxGeometry?: () => Promise<PoxGeometry | undefined>;
  chainhooks?: ChainhookAccess;
};

/** The real API on a database of its own; every response is checked against its declared schema. */
export async function startApi(
  t: Ending,
  shell: Pick<
    Shell,
    | 'rates'
    | 'callReadOnly'
    | 'readNodeBlock'
    | 'simulate'
    | 'heightWaitMs'
    | 'poxGeometry'
    | 'explorer'
    | 'pictures'
    | 'labels'
  > = {},
) {
  const database = await testDatabase(t);
  const sql = connect(database.url, { max: 4, name: 'cairn api', ...apiReads, statementTimeoutMs: 120_000 });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  const tip = new TipCache({ sql, primary: database.sql, log });
  await tip.start();
  t.onTestFinished(() => tip.stop());
  return { ...(await build(t, sql, tip, shell)), database, tip };
}

/** The API on a database without a tip: it renders every response again. */
export async function startWithoutTip(t: Ending, database: { url: string }, itemBytes: number) {
  const sql = connect(database.url, { max: 2, name: 'cairn api', ...apiReads });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  return await build(t, sql, { current: undefined }, { itemBytes });
}

/** The API on connections to a database that others prepared. */
export const startApiOn = (t: Ending, pool: Pool, tip: TipSource, shell: Shell) => build(t, pool, tip, shell);

/** The API without a database, for tests of the code around handlers. */
export async function startShell(t: Ending, tip: TipSource, shell: Shell) {
  // Nothing listens there; the driver connects only for a statement.
  const pool = shell.pool ?? connect('postgres://nobody@127.0.0.1:1/none', { max: 1, name: 'shell' });
  return await build(t, pool, tip, shell);
}

async function build(
  t: Ending,
  pool: Pool,
  tip: TipSource,
  {
    deprecatedEndpoints = true,
    network = 'testnet',
    rates,
    faucets,
    explorer,
    pictures,
    labels,
    routes,
    itemBytes = 1_000_000,
    heightWaitMs,
    reads,
    callReadOnly,
    readNodeBlock,
    simulate,
    poxGeometry = async () => ({ first: 0, length: 20, prepare: 5 }),
    chainhooks,
  }: Shell,
) {
  const api = await buildApi({
    pool,
    tip,
    network: parseNetwork(network)!,
    readyMaxLag: 60,
    bodyLimit: 100_000,
    maxInFlight: 20,
    atOnce: 4,
    responses: new ResponseCache(1_000_000),
    caches: openReadCaches({ itemBytes }),
    deprecatedEndpoints,
    log,
    strict: true,
    poxGeometry,
    ...(rates && { rates }),
    ...(heightWaitMs !== undefined && { heightWaitMs }),
    ...(reads && { reads }),
    ...(faucets && { faucets }),
    ...(explorer && { explorer }),
    ...(pictures && { pictures }),
    ...(labels && { labels }),
    ...(routes && { routes }),
    ...(callReadOnly && { callReadOnly }),
    ...(readNodeBlock && { readNodeBlock }),
    ...(simulate && { simulate }),
    ...(chainhooks && { chainhooks }),
  });
  t.onTestFinished(() => api.app.close());
  return api;
}
