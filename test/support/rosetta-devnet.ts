import { parseNetwork } from '@cairn-stacks/codec/network';
import Fastify from 'fastify';
import { Following } from '../../src/app/following/following.ts';
import { openNodeProxy } from '../../src/app/node-proxy.ts';
import { rosettaApi } from '../../src/app/rosetta.ts';
import { rosettaChain } from '../../src/app/rosetta-chain.ts';
import { TipCache } from '../../src/cache/tip-cache.ts';
import { readConfig } from '../../src/config/config.ts';
import { connect } from '../../src/db/client.ts';
import { plainReads } from '../../src/db/reads.ts';
import { checkResponses } from '../../src/http/validation/response-check.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { createMetrics } from '../../src/metrics.ts';
import { testDatabase } from './database.ts';
import { askerOf, silent } from './rosetta.ts';
import { startFold, until } from './service.ts';
import { startObserver, startSimulation } from './simulation.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

/** A devnet that signs, an index that follows it, and the whole Rosetta API in front of both. */
export async function serveDevnet(t: Ending) {
  const network = parseNetwork('devnet')!;
  const database = await testDatabase(t);
  const events = new EventLog(database.sql);
  t.onTestFinished(() => events.close());
  const observer = await startObserver(t, {
    take: ({ path, body }) => events.append({ path, source: 'node 127.0.0.1', at: new Date(), body }),
  });
  const fold = startFold(database);
  t.onTestFinished(async () => void (await fold.stop()));
  const devnet = await startSimulation(t, { observer: observer.url, sign: true });
  const sql = connect(database.url, { max: 4, name: 'rosetta', readOnly: true });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  const tip = new TipCache({ sql, primary: database.sql, log: silent });
  await tip.start();
  t.onTestFinished(() => tip.stop());
  const { config } = readConfig({ CAIRN_NODES: devnet.url });
  const suspension = { reason: undefined };
  const following = await Following.open({ config, nodes: config.nodes, network, sql, log: silent, suspension });
  t.onTestFinished(() => following.stop());
  const { pool } = following;
  const reads = plainReads(sql);
  const metrics = createMetrics();
  const nodes = openNodeProxy({ config, pool, network, sql, reads, tip, metrics, log: silent, events });
  const chain = rosettaChain({ nodes, reads, tip });
  const app = Fastify();
  app.setSerializerCompiler(checkResponses);
  app.decorateRequest('sql', { getter: () => sql });
  await app.register(rosettaApi({ config, network, pool: nodes.pool, chain, log: silent }));
  t.onTestFinished(async () => void (await app.close()));
  /** Mines a block and waits until the index shows it. */
  const mine = async () => {
    const block = await devnet.exclusively(() => devnet.step());
    await until(async () => tip.current?.height === block.height);
    return block.height;
  };
  await until(async () => tip.current?.height === devnet.node.tip.height);
  return { ask: askerOf(app, network), chain, devnet, network, mine };
}
