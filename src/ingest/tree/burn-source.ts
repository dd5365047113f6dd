import { sourceKey } from '../../node/messages.ts';
import type { LoggedEvent } from '../log/event-reader.ts';

/** Sources that are not nodes (recordings, fetched events) count only until a node announces burn blocks. */
export const isNode = (source: string): boolean => source.startsWith('node ');

/** The source of a burn block: the node of the event, or the node that an export names in it. */
export const burnSource = (event: Pick<LoggedEvent, 'source'>, burn: { source?: string }): string =>
  isNode(event.source) ? event.source : (burn.source ?? event.source);

/** The body of an event for an export: where a node announced a burn block, the body names the node. */
export function bodyWithSource({ path, source, body }: Pick<LoggedEvent, 'path' | 'source' | 'body'>): Buffer {
  const text = path === '/new_burn_block' && isNode(source) ? body.toString('utf8') : '';
  const rest = /^\s*\{(?=\s*")/.exec(text);
  if (!rest) return body;
  const field = `${JSON.stringify(sourceKey)}:${JSON.stringify(source)}`;
  return Buffer.from(`{${field},${text.slice(rest[0].length)}`);
}
