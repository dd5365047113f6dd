import { ConnectionLost } from '../database-error.ts';
import { type ConnectionOptions, connectClient, openClient } from './open-client.ts';
import { locateHost } from './primary-search.ts';

export type ListenOptions = {
  connection: ConnectionOptions;
  channel: string;
  onNotification: (payload: string) => void;
  /** Called after each start of listening: earlier notifications may have been missed. */
  onListen?: (() => void) | undefined;
  /** Called if notifications cannot arrive because the server is behind a pooler. */
  onPooled?: (() => void) | undefined;
};

/** Interval and time limit of heartbeats, in milliseconds. */
const HEARTBEAT_MS = 5000;
const RETRY_MS = 250;
const MAX_RETRY_MS = 5000;

/** Listens to a channel on its own connection, and reconnects when that is lost. */
export class Listener {
  readonly #options: ListenOptions;
  #close: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #stopped = false;

  constructor(options: ListenOptions) {
    this.#options = options;
  }

  /** Resolves when it listens to the channel, or cannot because of a pooler. */
  async start(): Promise<void> {
    const { connection, channel, onNotification, onListen, onPooled } = this.#options;
    const host = await locateHost(connection.address);
    const opened = openClient({ ...connection, name: `${connection.name} listener` }, host, false);
    const { client, socket } = opened;
    let listening = false;
    const lose = () => {
      socket.destroy();
      if (!listening) return;
      listening = false;
      clearTimeout(this.#timer);
      this.#again();
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ payload = '' }) => onNotification(payload));
    this.#close = lose;
    try {
      const { pooled } = await connectClient(opened, connection.connectTimeoutMs);
      if (pooled) {
        onPooled?.();
        socket.destroy();
        return;
      }
      await within(client.query(`listen "${channel.replaceAll('"', '""')}"`), () => socket.destroy());
    } catch (error) {
      socket.destroy();
      throw error;
    }
    if (this.#stopped) return lose();
    listening = true;
    this.#failures = 0;
    const beat = () => {
      this.#timer = setTimeout(
        () => within(client.query('select 1'), () => socket.destroy()).then(beat, lose),
        HEARTBEAT_MS,
      );
      this.#timer.unref();
    };
    beat();
    onListen?.();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#close?.();
  }

  #again(): void {
    if (this.#stopped) return;
    const waitMs = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** this.#failures++);
    this.#timer = setTimeout(() => this.start().catch(() => this.#again()), waitMs);
  }
}

/** Waits for a response; a late one ends the connection. */
async function within<T>(response: Promise<T>, onLate: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate();
      reject(new ConnectionLost(`the server did not respond within ${HEARTBEAT_MS} ms`));
    }, HEARTBEAT_MS);
  });
  try {
    return await Promise.race([response, late]);
  } finally {
    clearTimeout(timer);
    response.catch(() => {});
  }
}
