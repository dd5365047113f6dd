import type { Tip } from '../cache/tip-queries.ts';
import { positionText } from '../chain/position.ts';
import type { Visit } from './visit.ts';

/** On responses read from the chain: a position of the stream. What the response does not show yet follows it. */
export const POSITION_HEADER = 'x-cairn-position';

const texts = new WeakMap<Tip, string>();

/** The position of a tip as text; undefined if the tip is not known. */
export function servedPosition(tip: Tip | undefined): string | undefined {
  if (!tip) return undefined;
  let text = texts.get(tip);
  if (text === undefined) {
    const { seq, check, height, indexHash } = tip;
    const hash = height < 0 ? Buffer.alloc(0) : indexHash;
    text = positionText({ seq, check, pending: 0, height, indexHash: hash, rest: undefined });
    texts.set(tip, text);
  }
  return text;
}

/** Names the position of the tip that is known before anything is read. */
export function namePosition({ route, reply, service }: Visit): void {
  if (!route.isCached || route.freshness === 'immutable') return;
  const position = servedPosition(service.tip.current);
  if (position !== undefined) reply.header(POSITION_HEADER, position);
}
