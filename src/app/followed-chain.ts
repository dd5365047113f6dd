import { TipCache } from '../cache/tip-cache.ts';
import { apiReads, type Pool } from '../db/client.ts';
import type { Log } from '../log.ts';
import type { RunningDatabase } from './database.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { RunningReads } from './reads.ts';

type Options = {
  /** What the connections are named after. */
  name: string;
  /** Number of connections. */
  max: number;
  /** Time limit of a statement. */
  queryTimeoutSeconds: number;
  log: Log;
};

/** Connections of its own for a part that follows the chain, and the tip: that of the responses, or its own where none are served. */
export async function followChain(
  parts: Lifecycle,
  { database, reads }: { database: RunningDatabase; reads: RunningReads },
  { name, max, queryTimeoutSeconds, log }: Options,
): Promise<{ chain: Pool; source: TipCache }> {
  const { url, directUrl, primary } = database;
  const limits = { ...apiReads, max, statementTimeoutMs: queryTimeoutSeconds * 1000 };
  const chain = parts.addPool(`${name} reads`, url, limits);
  if (reads.tip) return { chain, source: reads.tip };
  const announcing =
    directUrl === url ? primary : parts.addPool(`${name} announcements`, directUrl, { max: 1, readOnly: true });
  const source = parts.add(`${name} tip`, new TipCache({ sql: chain, primary: announcing, log }));
  await source.start();
  return { chain, source };
}
