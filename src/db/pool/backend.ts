import { afterRunningTime } from '../running-time.ts';
import { type ConnectionOptions, connectClient, openClient } from './open-client.ts';
import { locateHost } from './primary-search.ts';

/** Time limit of a check of server processes, in milliseconds. */
const QUERY_MS = 5000;
/** The last response of an idle server may still be on the network for this time, in milliseconds. */
export const ARRIVAL_MS = 1000;
const TOO_MANY_CONNECTIONS = '53300';

/** Makes the server cancel the statement of one of its processes. */
export async function cancelBackend(options: ConnectionOptions, processId: number): Promise<void> {
  await query(options, 'select pg_cancel_backend(pid) from unnest($1::int[]) pid', [processId], QUERY_MS);
}

/** True if one of these server processes still works on a statement; rejects if the server does not respond. */
export async function isBackendBusy(
  options: ConnectionOptions,
  processIds: readonly number[],
  withinMs = QUERY_MS,
): Promise<boolean> {
  const text = `select 1 from pg_stat_activity where pid = any($1::int[]) and state = 'active'`;
  try {
    return await query(options, text, processIds, withinMs);
  } catch (error) {
    // A server without a free connection is alive and busy.
    if ((error as { code?: unknown }).code === TOO_MANY_CONNECTIONS) return true;
    throw error;
  }
}

/** Uses its own connection, because those of the pool may be the ones to check. True if there is a row. */
async function query(
  options: ConnectionOptions,
  text: string,
  processIds: readonly number[],
  withinMs: number,
): Promise<boolean> {
  const host = await locateHost(options.address);
  const opened = openClient({ ...options, name: `${options.name} control` }, host, false);
  const { client, socket } = opened;
  client.on('error', () => {}); // the statement below fails with it
  const stopTimer = afterRunningTime(withinMs, () => socket.destroy());
  try {
    await connectClient(opened, withinMs);
    const { rows } = await client.query(text, [`{${processIds.join(',')}}`]);
    return rows.length > 0;
  } finally {
    stopTimer();
    socket.destroy();
  }
}
