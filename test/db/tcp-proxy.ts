import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'vitest';

export type TcpProxy = {
  /** The same database through the proxy. */
  url: string;
  /** From now on nothing passes, on old connections and new ones, and nobody is told. */
  blackhole(): void;
  /** Everything passes again on new connections; what was held back is gone. */
  heal(): void;
  /** Ends all connections with a reset. */
  reset(): void;
};

/** A TCP port in front of the unix socket of a server, which loses what it is told to lose. */
export async function openProxy(t: TestContext, target: string): Promise<TcpProxy> {
  const server = createServer();
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let open = true;
  server.on('connection', client => {
    const upstream = connectTo(target);
    let passes = open;
    clients.add(client);
    client.on('close', () => clients.delete(client));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    const pass = (from: Socket, to: Socket) => {
      from.on('data', chunk => {
        passes &&= open;
        if (passes) to.write(chunk);
      });
      from.on('close', () => {
        if (passes && open) to.destroy();
      });
    };
    pass(client, upstream);
    pass(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: throughPort(target, (server.address() as AddressInfo).port),
    blackhole: () => {
      open = false;
    },
    heal: () => {
      open = true;
    },
    reset: () => {
      for (const client of clients) client.resetAndDestroy();
    },
  };
}

/** Connects to the server of a URL whose host is a folder. */
export function connectTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(`${decodeURIComponent(hostname)}/.s.PGSQL.${port || 5432}`);
}

/** The same database on a port of this machine. */
export function throughPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.host = `127.0.0.1:${port}`;
  return changed.href;
}
