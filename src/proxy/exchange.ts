import type { RpcCall } from '../node/rpc.ts';
import { Attempt, type AttemptEvents, type Head, type Sink } from './attempt.ts';
import type { Failure } from './failure.ts';
import type { Wish } from './pool/choice.ts';
import type { PoolNode } from './pool/pool-node.ts';

/** A call of a client to the best node. */
export type Call = RpcCall & {
  /** True if the call may be sent twice, to two nodes. */
  repeatable: boolean;
  /** True if HTML is a response and not the error page of a gateway. */
  html?: boolean;
  /** The preferred node. */
  prefer?: PoolNode | undefined;
};

/** Receives the result; exactly one of the three is called. `fail` gets undefined if no node was available. */
export type Outlet = {
  respond(node: PoolNode, head: Head, body: Buffer): void;
  /** Starts a large response; its chunks go to the returned sink, and `resume` requests more of them. */
  stream(node: PoolNode, head: Head, resume: () => void): Sink;
  fail(failure: Failure | undefined): void;
};

/** Where a call can go: the pool of nodes, or a service. */
export type Upstreams = {
  readonly options: { readonly timeoutMs: number; readonly hedgeDelayMs: number; readonly responseLimit: number };
  /** Requests in progress, and how many of them are hedged. */
  open: number;
  hedges: number;
  readonly mayHedge: boolean;
  choose(wish?: Wish): PoolNode | undefined;
};

const MAX_ATTEMPTS = 3;

/**
 * Gets one response from the pool: calls the best node; a repeatable call goes to another node if that fails, and to a
 * second node in parallel if the first is late. The first usable response wins, the other call is cancelled.
 */
export class Exchange implements AttemptEvents {
  readonly #pool: Upstreams;
  readonly #call: Call;
  readonly #outlet: Outlet;
  readonly #called: PoolNode[] = [];
  #running: Attempt[] = [];
  #timer: NodeJS.Timeout | undefined;
  #late = false;
  #hedged = false;
  #done = false;

  constructor(pool: Upstreams, call: Call, outlet: Outlet) {
    this.#pool = pool;
    this.#call = call;
    this.#outlet = outlet;
  }

  start(): void {
    this.#pool.open++;
    const node = this.#pool.choose({ prefer: this.#call.prefer });
    if (!node) return void this.#fail(undefined);
    this.#timer = setTimeout(() => this.#onLate(), this.#pool.options.hedgeDelayMs);
    this.#callNode(node);
  }

  /** The client has disconnected. */
  cancel(): void {
    if (this.#done) for (const attempt of this.#running) attempt.cancel();
    else this.#finish();
  }

  onResponse(attempt: Attempt, head: Head, body: Buffer): void {
    this.#finish(attempt);
    this.#outlet.respond(attempt.node, head, body);
  }

  onLarge(attempt: Attempt, head: Head): void {
    this.#finish(attempt);
    this.#running = [attempt];
    attempt.flowTo(this.#outlet.stream(attempt.node, head, () => attempt.resume()));
  }

  onFailure(attempt: Attempt, failure: Failure): void {
    if (this.#done) return;
    this.#running = this.#running.filter(other => other !== attempt);
    if (this.#running.length > 0) return;
    const again = this.#call.repeatable || failure.kind === 'connect';
    const next = again && this.#called.length < MAX_ATTEMPTS ? this.#pool.choose({ except: this.#called }) : undefined;
    if (next) this.#callNode(next);
    else this.#fail(failure);
  }

  #callNode(node: PoolNode): void {
    const attempt = new Attempt(node, { limit: this.#pool.options.responseLimit, html: this.#call.html }, this);
    this.#called.push(node);
    this.#running.push(attempt);
    node.rpc.dispatch(this.#call, attempt);
  }

  /** Fires once after the hedge delay, to call a second node; then at the time limit. */
  #onLate(): void {
    const { hedgeDelayMs, timeoutMs } = this.#pool.options;
    if (this.#late) {
      const failure: Failure = { kind: 'timeout', detail: 'no response within the time limit' };
      for (const { node } of this.#running) node.failed(failure);
      return void this.#fail(failure);
    }
    this.#late = true;
    this.#timer = setTimeout(() => this.#onLate(), Math.max(1, timeoutMs * 1.5 - hedgeDelayMs));
    if (!this.#call.repeatable || this.#called.length >= MAX_ATTEMPTS || !this.#pool.mayHedge) return;
    const node = this.#pool.choose({ except: this.#called, worst: 0 });
    if (!node) return;
    this.#hedged = true;
    this.#pool.hedges++;
    node.counts.hedged++;
    this.#callNode(node);
  }

  #fail(failure: Failure | undefined): void {
    this.#finish();
    this.#outlet.fail(failure);
  }

  /** Cancels all attempts but the winner. */
  #finish(winner?: Attempt): void {
    if (this.#done) return;
    this.#done = true;
    this.#pool.open--;
    if (this.#hedged) this.#pool.hedges--;
    clearTimeout(this.#timer);
    for (const attempt of this.#running) {
      if (attempt === winner) continue;
      // A first node that has not started to respond is slow; a second node is not.
      if (winner && attempt.node === this.#called[0] && !attempt.begun) {
        attempt.node.failed({ kind: 'slow', detail: 'overtaken' });
      }
      attempt.cancel();
    }
    this.#running = [];
  }
}
