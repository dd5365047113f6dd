import { type ConnectionOptions, connectClient, openClient } from './open-client.ts';

/** How long it may take to ask the server about one of its processes. */
const ASK_MS = 5000;

/** Asks the server to give up what one of its processes is doing. */
export async function cancelBackend(options: ConnectionOptions, processId: number): Promise<void> {
  await ask(options, 'select pg_cancel_backend($1)', processId);
}

/** Whether a process of the server still works on a statement; rejects when the server cannot be asked. */
export async function isBackendBusy(options: ConnectionOptions, processId: number): Promise<boolean> {
  return await ask(options, `select 1 from pg_stat_activity where pid = $1 and state = 'active'`, processId);
}

/** On a connection of its own, since those of the pool may be what is asked about. True when there is a row. */
async function ask(options: ConnectionOptions, text: string, processId: number): Promise<boolean> {
  const opened = openClient({ ...options, name: `${options.name} control` }, false);
  const { client, socket } = opened;
  client.on('error', () => {}); // the statement below fails with it
  const timer = setTimeout(() => socket.destroy(), ASK_MS);
  try {
    await connectClient(opened, ASK_MS);
    const { rows } = await client.query(text, [processId]);
    return rows.length > 0;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
