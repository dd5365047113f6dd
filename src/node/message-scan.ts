import { MessageError } from './message-error.ts';

/** Deeper JSON is no message of a node: the deepest ones, ABIs of nested tuples, have some dozens of levels. */
export const maxDepth = 200;

/** Where the list of events lies in a body, and the offsets of commas at which it can be cut into parts of some size. */
export type EventsSpan = { start: number; end: number; cuts: number[] };

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;

/** Kinds of bytes outside of texts: 0 none of these, 1 opens, 2 closes, 3 begins a text, 4 separates. */
const kinds = new Uint8Array(256);
for (const byte of Buffer.from('[{')) kinds[byte] = 1;
for (const byte of Buffer.from(']}')) kinds[byte] = 2;
kinds[quote] = 3;
kinds[comma] = 4;

/**
 * Looks at the structure of a body without parsing it. Refuses one that is nested too deeply, which would take long to parse;
 * finds the list `events` of the outermost object where `partBytes` asks for its cuts.
 */
export function scanMessage(body: Uint8Array, partBytes?: number): EventsSpan | undefined {
  let depth = 0;
  let span: EventsSpan | undefined;
  /** The list is open, at depth 2. */
  let inside = false;
  let found = 0;
  let partStart = 0;
  for (let i = 0; i < body.length; i++) {
    switch (kinds[body[i]!]) {
      case 0:
        continue;
      case 1:
        if (++depth > maxDepth) throw new MessageError(`the body is nested deeper than ${maxDepth} levels`);
        continue;
      case 2:
        depth--;
        if (inside && depth === 1) {
          inside = false;
          span!.end = i;
        }
        continue;
      case 3: {
        const start = i + 1;
        for (i++; i < body.length && body[i] !== quote; i++) if (body[i] === backslash) i++;
        if (partBytes === undefined || depth !== 1 || i - start !== key.length) continue;
        const list = listAfterKey(body, start);
        if (list < 0) continue;
        found++;
        span = { start: list + 1, end: -1, cuts: [] };
        inside = true;
        partStart = list + 1;
        depth++;
        i = list;
        continue;
      }
      case 4:
        if (!inside || depth !== 2 || i - partStart < partBytes!) continue;
        span!.cuts.push(i);
        partStart = i + 1;
    }
  }
  // Of a key that comes twice the last one counts, and a list that does not end is no JSON: both are left to the parser.
  return found === 1 && span!.end >= 0 ? span : undefined;
}

const key = Buffer.from('events');

/** The place of the bracket if the text at `start` is the key of the events and a list follows it; else -1. */
function listAfterKey(body: Uint8Array, start: number): number {
  for (let i = 0; i < key.length; i++) if (body[start + i] !== key[i]) return -1;
  let at = skipBlanks(body, start + key.length + 1);
  if (body[at] !== colon) return -1;
  at = skipBlanks(body, at + 1);
  return body[at] === openBracket ? at : -1;
}

function skipBlanks(body: Uint8Array, from: number): number {
  let at = from;
  while (body[at] === 0x20 || body[at] === 0x0a || body[at] === 0x0d || body[at] === 0x09) at++;
  return at;
}
