import type { IncomingMessage } from 'node:http';
import { type Payload, PayloadWriter } from '../log/payload.ts';
import type { ByteBudget } from './byte-budget.ts';

/** A post that is invalid itself, with the status of the response. */
export class RejectedRequest extends Error {
  override name = 'RejectedRequest';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type BodyLimits = {
  bodyLimit: number;
  /** How long a body may make no progress. */
  stallMs: number;
  /** Bytes of small bodies that are read at once. */
  smallBodies: ByteBudget;
  /** One large body at a time: the next waits unread in the kernel. */
  largeBodies: ByteBudget;
};

/** A complete body; `release` returns its bytes to the budget. */
export type ReceivedBody = { content: Buffer | Payload; size: number; release: () => void };

/** Bodies beyond this, or of unknown length, are compressed as they arrive. */
const SMALL_BYTES = 4 << 20;
/** What a request costs in addition to its body. */
const OVERHEAD_BYTES = 4 << 10;

/** Reads the body when the budget has bytes for it; a truncated or too large body is rejected. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<ReceivedBody> {
  const length = declaredLength(request);
  if (length !== undefined && length > limits.bodyLimit) throw tooLarge(limits);
  const small = length !== undefined && length <= SMALL_BYTES;
  const release = small
    ? await whenAdmitted(request, limits.smallBodies, length + OVERHEAD_BYTES)
    : await whenAdmitted(request, limits.largeBodies, 1);
  try {
    const content = small ? await readSmall(request, length, limits) : await readLarge(request, limits);
    return { content, size: 'parts' in content ? content.size : content.length, release };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Reads a body whole if it has at most `most` bytes; a larger one is read to its end and discarded. Bodies beyond the small ones
 * are held one at a time.
 */
export async function readWhole(
  request: IncomingMessage,
  limits: BodyLimits,
  most: number,
): Promise<{ content: Buffer | undefined; size: number; release: () => void }> {
  const length = declaredLength(request);
  const small = length !== undefined && length <= SMALL_BYTES;
  const release = small
    ? await whenAdmitted(request, limits.smallBodies, length + OVERHEAD_BYTES)
    : await whenAdmitted(request, limits.largeBodies, 1);
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const chunk of chunksOf(request, limits)) {
      size += chunk.length;
      if (size <= most) parts.push(chunk);
      else parts.length = 0;
    }
    return { content: size <= most ? Buffer.concat(parts, size) : undefined, size, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Waits for the budget; a request that is closed meanwhile is rejected. */
async function whenAdmitted(request: IncomingMessage, budget: ByteBudget, bytes: number): Promise<() => void> {
  const admitted = budget.tryAcquire(bytes);
  if (admitted) return admitted;
  const gone = new AbortController();
  const onClose = () => gone.abort(new RejectedRequest(400, 'the connection was closed before the body was complete'));
  request.once('close', onClose);
  const release = await budget.acquire(bytes, gone.signal);
  request.off('close', onClose);
  return release;
}

/** Reads to the end and discards everything. */
export async function discardBody(request: IncomingMessage, limits: BodyLimits): Promise<number> {
  let size = 0;
  for await (const chunk of chunksOf(request, limits)) size += chunk.length;
  return size;
}

async function readSmall(request: IncomingMessage, length: number, limits: BodyLimits): Promise<Buffer> {
  const body = Buffer.allocUnsafe(length);
  let size = 0;
  for await (const chunk of chunksOf(request, limits)) {
    chunk.copy(body, size);
    size += chunk.length;
  }
  // The parser counts too; this check keeps its mistakes from putting uninitialised bytes into the log.
  if (size !== length) throw cutOff(size);
  return body;
}

async function readLarge(request: IncomingMessage, limits: BodyLimits): Promise<Payload> {
  const writer = new PayloadWriter();
  try {
    for await (const chunk of chunksOf(request, limits)) await writer.write(chunk);
    return await writer.finish();
  } catch (error) {
    writer.discard();
    throw error;
  }
}

/** The chunks of a body that is complete when the iteration ends; it throws a `RejectedRequest` otherwise. */
async function* chunksOf(request: IncomingMessage, limits: BodyLimits): AsyncGenerator<Buffer, void, void> {
  let size = 0;
  let stalled = false;
  const timer = setTimeout(() => {
    stalled = true;
    request.destroy();
  }, limits.stallMs);
  try {
    // The request is left open on an early end, so that the response can still be written.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      timer.refresh();
      size += chunk.length;
      if (size > limits.bodyLimit) throw tooLarge(limits);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof RejectedRequest) throw error;
    throw stalled ? new RejectedRequest(408, `no byte of the body arrived for ${limits.stallMs} ms`) : cutOff(size);
  } finally {
    clearTimeout(timer);
  }
  if (!request.complete) throw cutOff(size);
}

function declaredLength(request: IncomingMessage): number | undefined {
  const header = request.headers['content-length'];
  if (header !== undefined) return Number(header);
  // Neither length nor chunks means that there is no body.
  return request.headers['transfer-encoding'] === undefined ? 0 : undefined;
}

const tooLarge = ({ bodyLimit }: BodyLimits) =>
  new RejectedRequest(
    413,
    `the body is larger than ${bodyLimit} bytes; to take it, set CAIRN_OBSERVER_BODY_LIMIT to more`,
  );
const cutOff = (size: number) => new RejectedRequest(400, `the body was cut off after ${size} bytes`);
