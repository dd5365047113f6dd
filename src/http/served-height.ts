import type { IncomingMessage } from 'node:http';
import type { TipSource } from '../cache/tip-cache.ts';
import { badRequest } from '../errors.ts';
import type { Visit } from './visit.ts';

/** On responses: the height of the tip that they show. On requests: the height that the client has seen. */
export const HEIGHT_HEADER = 'x-cairn-height';
const PARAMETER = 'min_height';

/** Makes a request wait for the height that its client has seen: another process may be further than this one. */
export function awaitHeight({ request, service: { tip, heights } }: Visit): Promise<void> | undefined {
  const wanted = request.raw.headers[HEIGHT_HEADER];
  if (wanted === undefined) return undefined;
  const height = heightOf(wanted);
  return tip.current && tip.current.height >= height ? undefined : heights.until(height);
}

/** Names the height of the tip in the response; none while the tip is not known: what was named before may be less than is shown. */
export function nameHeight({ reply, service }: Visit): void {
  const height = servedHeight(service.tip);
  if (height === undefined) reply.removeHeader(HEIGHT_HEADER);
  else reply.header(HEIGHT_HEADER, height);
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
