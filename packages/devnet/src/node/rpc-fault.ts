import { setTimeout as sleep } from 'node:timers/promises';

/** How the RPC misbehaves. */
export type RpcFaultOptions = {
  /** Milliseconds before a response. */
  delayMs: number;
  /** True responds with 500. */
  fails: boolean;
  /** Number of requests that are affected; undefined: all until the fault is cleared. */
  requests: number | undefined;
};

/** Makes the RPC of the devnet slow or failing, on command. */
export class RpcFault {
  #fault: RpcFaultOptions | undefined;

  get current(): RpcFaultOptions | undefined {
    return this.#fault;
  }

  set(fault: RpcFaultOptions | undefined): void {
    this.#fault = fault && (fault.delayMs > 0 || fault.fails) ? { ...fault } : undefined;
  }

  /** Applies the fault to one request: waits, and throws if it is to fail. */
  async apply(): Promise<void> {
    const fault = this.#fault;
    if (!fault) return;
    if (fault.requests !== undefined && --fault.requests <= 0) this.#fault = undefined;
    if (fault.delayMs > 0) await sleep(fault.delayMs, undefined, { ref: false });
    if (fault.fails) throw new Error('the RPC of the devnet fails on command');
  }
}
