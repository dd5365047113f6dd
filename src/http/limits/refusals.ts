import type { Socket } from 'node:net';

/** Counts what was refused on each connection since its last request that was let through. */
export class Refusals {
  readonly #counts = new WeakMap<Socket, number>();

  add(socket: Socket): number {
    const count = (this.#counts.get(socket) ?? 0) + 1;
    this.#counts.set(socket, count);
    return count;
  }

  forget(socket: Socket): void {
    this.#counts.delete(socket);
  }
}
