import { type ConnectionOptions, connectClient, openClient } from './open-client.ts';

/** How long it may take to ask the server about its processes. */
const ASK_MS = 5000;
/** When the server has nothing to do any more, its last answer may be on the way for so long. */
export const ARRIVAL_MS = 1000;
const TOO_MANY_CONNECTIONS = '53300';

/** Asks the server to give up what one of its processes is doing. */
export async function cancelBackend(options: ConnectionOptions, processId: number): Promise<void> {
  await ask(options, 'select pg_cancel_backend(pid) from unnest($1::int[]) pid', [processId], ASK_MS);
}

/** Whether one of these processes of the server still works on a statement; rejects when the server cannot be asked. */
export async function isBackendBusy(
  options: ConnectionOptions,
  processIds: readonly number[],
  withinMs = ASK_MS,
): Promise<boolean> {
  const text = `select 1 from pg_stat_activity where pid = any($1::int[]) and state = 'active'`;
  try {
    return await ask(options, text, processIds, withinMs);
  } catch (error) {
    // A server that has no connection left to be asked on is there and has much to do.
    if ((error as { code?: unknown }).code === TOO_MANY_CONNECTIONS) return true;
    throw error;
  }
}

/** On a connection of its own, since those of the pool may be what is asked about. True when there is a row. */
async function ask(
  options: ConnectionOptions,
  text: string,
  processIds: readonly number[],
  withinMs: number,
): Promise<boolean> {
  const opened = openClient({ ...options, name: `${options.name} control` }, false);
  const { client, socket } = opened;
  client.on('error', () => {}); // the statement below fails with it
  const timer = setTimeout(() => socket.destroy(), withinMs);
  try {
    await connectClient(opened, withinMs);
    const { rows } = await client.query(text, [`{${processIds.join(',')}}`]);
    return rows.length > 0;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
