import { MessageError } from './message-error.ts';

/** Deeper JSON is no message of a node: the deepest ones, ABIs of nested tuples, have some dozens of levels. */
export const maxDepth = 200;

const quote = 0x22;
const backslash = 0x5c;

/** Kinds of bytes outside of texts: 0 none of these, 1 opens, 2 closes, 3 begins a text. */
const kinds = new Uint8Array(256);
for (const byte of Buffer.from('[{')) kinds[byte] = 1;
for (const byte of Buffer.from(']}')) kinds[byte] = 2;
kinds[quote] = 3;

/** Refuses a body that is nested too deeply, which would take long to parse. */
export function assertDepth(body: Uint8Array): void {
  let depth = 0;
  for (let i = 0; i < body.length; i++) {
    switch (kinds[body[i]!]) {
      case 0:
        continue;
      case 1:
        if (++depth > maxDepth) throw new MessageError(`the body is nested deeper than ${maxDepth} levels`);
        continue;
      case 2:
        depth--;
        continue;
      case 3:
        for (i++; i < body.length && body[i] !== quote; i++) if (body[i] === backslash) i++;
    }
  }
}
