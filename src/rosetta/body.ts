import { RosettaError } from './errors.ts';

/** Bodies up to this size are always parsed; only transactions need larger ones, in one long text. */
const SMALL_CHARACTERS = 32_768;
/** Maximum number of commas and opening brackets in a larger body, about its number of values. */
const MAX_VALUES = 5_000;

const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Parses a body; rejects one with so many values that parsing and validating would block other requests. */
export function parseBody(text: string): unknown {
  if (text.length === 0) return {};
  if (text.length > SMALL_CHARACTERS && hasManyValues(text)) {
    throw new RosettaError(609, `the body has more than ${MAX_VALUES} values: send what the request needs and no more`);
  }
  return JSON.parse(text);
}

function hasManyValues(text: string): boolean {
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== COMMA && code !== BRACKET && code !== BRACE) continue;
    values++;
    if (values > MAX_VALUES) return true;
  }
  return false;
}
