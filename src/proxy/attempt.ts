import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { type Failure, failureOf } from './failure.ts';
import type { PoolNode } from './pool/pool-node.ts';

export type Head = { status: number; headers: IncomingHttpHeaders };

/** Receives the result of an attempt; exactly one of the three is called, unless it is cancelled before. */
export type AttemptEvents = {
  /** The response is complete. */
  onResponse(attempt: Attempt, head: Head, body: Buffer): void;
  /** The response is too large to buffer: takes the buffered part; `attempt.flowTo` delivers the rest. */
  onLarge(attempt: Attempt, head: Head): void;
  onFailure(attempt: Attempt, failure: Failure): void;
};

/** Receives the chunks of a response that is not buffered; false from `write` means to wait for `resume`. */
export type Sink = { write(chunk: Buffer): boolean; end(): void; fail(failure: Failure): void };

/** Responses up to this size are buffered, so that another node can be called if they are cut off. */
const HOLD_BYTES = 64 << 10;
const FAILURES: ReadonlySet<number> = new Set([500, 502, 503, 504]);
const OPENS_A_TAG = 0x3c;

/** Maximum bytes of a response, and whether it may be HTML. */
export type AttemptRules = { limit: number; html?: boolean | undefined };

/** One call to one node. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly node: PoolNode;
  readonly #events: AttemptEvents;
  readonly #limit: number;
  readonly #html: boolean;
  readonly #startedAt = performance.now();
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Buffer[] = [];
  #size = 0;
  #head: Head | undefined;
  #sink: Sink | undefined;
  #beganMs = 0;
  #ended = false;

  constructor(node: PoolNode, { limit, html = false }: AttemptRules, events: AttemptEvents) {
    this.node = node;
    this.#limit = limit;
    this.#html = html;
    this.#events = events;
    node.inFlight++;
  }

  /** True if the node has started to respond. */
  get begun(): boolean {
    return this.#head !== undefined;
  }

  /** Cancels the call. */
  cancel(): void {
    if (!this.#close()) return;
    this.#controller?.abort(new Error('no longer wanted'));
  }

  /** Sends the buffered and all further chunks to a sink. */
  flowTo(sink: Sink): void {
    this.#sink = sink;
    for (const chunk of this.#chunks) if (!sink.write(chunk)) this.#controller?.pause();
    this.#chunks = [];
  }

  resume(): void {
    this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error('no longer wanted'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#ended || status < 200) return;
    this.#head = { status, headers };
    this.#beganMs = performance.now() - this.#startedAt;
    // Not modified: the response to a condition of the client.
    if (status >= 300 && status < 400 && status !== 304)
      return void this.#fail({ kind: 'nonsense', detail: `a redirect, ${status}` });
    if (!this.#html && headers['content-type']?.startsWith('text/html'))
      return void this.#fail({ kind: 'nonsense', detail: 'HTML' });
    if (Number(headers['content-length'] ?? 0) > this.#limit) this.#tooLarge();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return;
    this.#size += chunk.length;
    if (this.#size > this.#limit) return void this.#tooLarge();
    if (this.#sink) {
      if (!this.#sink.write(chunk)) this.#controller?.pause();
      return;
    }
    this.#chunks.push(chunk);
    if (this.#size <= HOLD_BYTES) return;
    if (FAILURES.has(this.#head!.status))
      return void this.#fail({ kind: 'status', detail: `status ${this.#head!.status}` });
    this.#events.onLarge(this, this.#head!);
  }

  onResponseEnd(): void {
    if (!this.#close()) return;
    const { status, headers } = this.#head!;
    if (this.#sink) {
      this.node.answered(this.#beganMs);
      return void this.#sink.end();
    }
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#size);
    const failure = judge(status, headers, body);
    if (failure) {
      this.node.failed(failure);
      return void this.#events.onFailure(this, failure);
    }
    this.node.answered(this.#beganMs);
    this.#events.onResponse(this, this.#head!, body);
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#fail(failureOf(error), false);
  }

  #tooLarge(): void {
    this.#fail({ kind: 'large', detail: `more than ${this.#limit} bytes` });
  }

  #fail(failure: Failure, abort = true): void {
    if (!this.#close()) return;
    if (abort) this.#controller?.abort(new Error(failure.detail));
    if (failure.kind !== 'large' && failure.kind !== 'request') this.node.failed(failure);
    if (this.#sink) this.#sink.fail(failure);
    else this.#events.onFailure(this, failure);
  }

  /** False if it had ended before. */
  #close(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    this.node.inFlight--;
    return true;
  }
}

/** Checks a complete response; gateways may return HTML pages instead of JSON. */
function judge(status: number, headers: IncomingHttpHeaders, body: Buffer): Failure | undefined {
  if (FAILURES.has(status)) return { kind: 'status', detail: `status ${status}` };
  const type = headers['content-type'];
  if (body[0] === OPENS_A_TAG && (type === undefined || type.includes('json')))
    return { kind: 'nonsense', detail: 'HTML' };
  return undefined;
}
