import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export type ReaderLimits = {
  /** How long a client may read nothing of a pending response. */
  stallMs: number;
  /** Bytes that a client must take each second, on average, once it takes longer than that. */
  minRate?: number;
  /** Maximum bytes of pending responses of all clients together; beyond it, the connections with the most are closed. */
  maxWaiting?: number;
};

const MIN_RATE = 32 << 10;
const MAX_WAITING = 256 << 20;
const SWEEP_MS = 1_000;

type Progress = { taken: number; since: number };

/**
 * Closes connections whose client does not read its responses: they would hold memory and a place among the requests in
 * flight for ever. Connections that were upgraded have other rules.
 */
export function watchReaders(server: Server, limits: ReaderLimits): () => void {
  const { stallMs, minRate = MIN_RATE, maxWaiting = MAX_WAITING } = limits;
  const open = new Set<Socket>();
  const progress = new WeakMap<Socket, Progress>();
  // One function for all: a connection may stay open for days.
  function leave(this: Socket): void {
    open.delete(this);
  }
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', leave);
  });
  const unfollow = onceUpgraded(server, socket => open.delete(socket));

  /** Whether a client has taken too little; the socket itself ends one that takes nothing at all. */
  const isSlow = (socket: Socket, waiting: number, now: number): boolean => {
    const taken = socket.bytesWritten - waiting;
    const known = progress.get(socket);
    if (!known) socket.setTimeout(stallMs);
    if (!known || taken > known.taken) {
      progress.set(socket, { taken, since: now });
      return false;
    }
    // A write counts when all of it was taken.
    return now - known.since > stallMs + (waiting / minRate) * 1000;
  };

  const sweep = () => {
    const now = performance.now();
    let total = 0;
    const slow: { socket: Socket; waiting: number }[] = [];
    for (const socket of open) {
      const waiting = socket.writableLength;
      if (waiting === 0) progress.delete(socket);
      else if (isSlow(socket, waiting, now)) socket.destroy();
      else {
        total += waiting;
        slow.push({ socket, waiting });
      }
    }
    if (total <= maxWaiting) return;
    slow.sort((a, b) => a.waiting - b.waiting);
    for (let last = slow.pop(); last && total > maxWaiting; last = slow.pop()) {
      total -= last.waiting;
      last.socket.destroy();
    }
  };
  const timer = setInterval(sweep, Math.min(SWEEP_MS, stallMs / 4));
  timer.unref();
  return () => {
    clearInterval(timer);
    unfollow();
  };
}

/**
 * Listens for upgraded connections only while another listener owns them. Without any listener the server handles an upgrade
 * as a plain request; a listener that only watches would make it release the connection, and errors of that connection would
 * end the process.
 */
function onceUpgraded(server: Server, leave: (socket: Socket) => void): () => void {
  const upgraded = (_request: unknown, socket: Socket) => leave(socket);
  const follow = (event: string | symbol, listener: unknown) => {
    if (event !== 'upgrade' || listener === upgraded || server.listenerCount('upgrade') > 0) return;
    server.on('upgrade', upgraded);
  };
  const unfollow = (event: string | symbol) => {
    if (event === 'upgrade' && server.listenerCount('upgrade') === 1) server.off('upgrade', upgraded);
  };
  const stop = () => {
    server.off('newListener', follow);
    server.off('removeListener', unfollow);
    server.off('upgrade', upgraded);
  };
  server.on('newListener', follow);
  server.on('removeListener', unfollow);
  return stop;
}
