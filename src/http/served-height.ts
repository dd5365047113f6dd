import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { TipSource } from '../cache/tip-cache.ts';
import { badRequest, PublicError } from '../errors.ts';

/** On responses: the height of the tip that they show. On requests: the height that the client has seen. */
export const HEIGHT_HEADER = 'x-cairn-height';
const PARAMETER = 'min_height';

export type ServedHeightOptions = {
  tip: TipSource;
  /** How long a request waits for a height that it has seen elsewhere. */
  waitMs: number;
  /** How many requests may wait at once; more get 503. */
  maxWaiting: number;
};

/**
 * Names the height of the tip in every response, and makes a request wait for the height that its client has seen: another
 * process may be further than this one.
 */
export function addServedHeight(app: FastifyInstance, { tip, waitMs, maxWaiting }: ServedHeightOptions): void {
  let waiting = 0;
  const untilServed = async (wanted: string | string[]) => {
    const height = heightOf(wanted);
    const { current } = tip;
    if (current && current.height >= height) return;
    if (waiting >= maxWaiting) throw new PublicError(503, 'The service is busy; try again in a moment');
    waiting++;
    try {
      if (await tip.reachHeight?.(height, waitMs)) return;
    } finally {
      waiting--;
    }
    const at = tip.current ? `it is at ${tip.current.height}` : 'the tip cannot be read';
    throw new PublicError(503, `This server has not reached block height ${height} yet (${at}); try again in a moment`);
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const wanted = request.raw.headers[HEIGHT_HEADER];
    if (wanted === undefined) return done();
    untilServed(wanted).then(() => done(), done);
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const height = servedHeight(tip);
    if (height !== undefined) reply.header(HEIGHT_HEADER, height);
    done();
  });
}

/** The height of the tip as text; undefined if it is not known or there is no block. */
export function servedHeight({ current }: TipSource): string | undefined {
  return current && current.height >= 0 ? String(current.height) : undefined;
}

/** Turns the query parameter `min_height` into the header, so that routes and caches do not see it. Returns the URL without it. */
export function takeMinHeight(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const start = url.indexOf('?');
  if (start < 0 || !url.includes(PARAMETER, start)) return url;
  const kept = url
    .slice(start + 1)
    .split('&')
    .filter(pair => {
      const [name, value = ''] = pair.split('=', 2);
      if (name !== PARAMETER) return true;
      request.headers[HEIGHT_HEADER] = value;
      return false;
    });
  return url.slice(0, start) + (kept.length > 0 ? `?${kept.join('&')}` : '');
}

function heightOf(text: string | string[]): number {
  const height = typeof text === 'string' && /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(height)) throw badRequest(`${PARAMETER} and the header ${HEIGHT_HEADER} must be a block height`);
  return height;
}
