import { EventItems } from './event-items.ts';
import { assertDepth } from './message-depth.ts';
import { MessageError } from './message-error.ts';
import { MessageSplitter } from './message-splitter.ts';

export { MessageError };

/** Bytes with the correct hash that cannot be decoded: their format is newer than this program. */
export class UnknownFormatError extends MessageError {}

export type Json = Record<string, unknown>;

// Numbers of burn operations may exceed 2^53; JSON.parse would round them.
const bigNumbers =
  /"(max_amount|stacked_ustx|transfered_ustx|delegated_ustx|auth_id|until_burn_height|reward_cycle)":\s*(\d{16,})/g;
// Recordings written by a database have a blank after each colon.
const burnOperation = /"burnchain_op":\s*\{/;

/** Bodies beyond this are not parsed as a whole. */
export const largeBytes = 8 << 20;

/**
 * Parses a message body without rounding the large integers of burn operations. The events of a large body are parsed when
 * they are listed, a part at a time; what is nested too deeply is refused unread.
 */
export function parseMessage(body: Uint8Array): unknown {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.length > largeBytes) {
    const splitter = new MessageSplitter();
    splitter.push(bytes);
    return finishMessage(splitter);
  }
  assertDepth(bytes);
  return parseText(bytes.toString('utf8'));
}

/** The message whose chunks a splitter has taken, as `parseMessage` gives a large one. */
export function finishMessage(splitter: MessageSplitter): unknown {
  let convert = parseJson;
  const { outside, events } = splitter.finish(text => convert(text));
  if (burnOperation.test(outside)) convert = parseText;
  const message = parseText(outside);
  return events === undefined ? message : { ...(message as Json), events };
}

/** True if all of a body is JSON that may be parsed. */
export function isMessage(body: Uint8Array): boolean {
  try {
    const message = parseMessage(body) as { events?: unknown } | null;
    // Parsing happens while they are listed.
    if (message?.events instanceof EventItems) for (const _ of message.events);
    return true;
  } catch (error) {
    // Longer than a string may be: nothing says that it is not.
    return error instanceof Error && 'code' in error && error.code === 'ERR_STRING_TOO_LONG';
  }
}

const parseText = (text: string) => parseJson(burnOperation.test(text) ? text.replace(bigNumbers, '"$1":"$2"') : text);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MessageError('the body is not JSON', { cause: error });
  }
}

export function object(value: unknown, name: string): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new MessageError(`${name} is not an object`);
  return value as Json;
}

export function array(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw new MessageError(`${name} is not a list`);
  return value;
}

/** The items of a list, which may be parsed only now. */
export const items = (value: unknown, name: string): Iterable<unknown> =>
  value instanceof EventItems ? value : array(value, name);

export function text(json: Json, key: string): string {
  const value = json[key];
  if (typeof value !== 'string') throw new MessageError(`${key} is not a text`);
  return value;
}

export function optionalText(json: Json, key: string): string | undefined {
  const value = json[key];
  return typeof value === 'string' ? value : undefined;
}

/** A whole number, given as a number or as decimal text. */
export function integer(json: Json, key: string): number {
  const value = optionalInteger(json, key);
  if (value === undefined) throw new MessageError(`${key} is not a whole number`);
  return value;
}

export function optionalInteger(json: Json, key: string): number | undefined {
  const value = json[key];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  if (value === undefined || value === null) return undefined;
  throw new MessageError(`${key} is not a whole number`);
}

/** An amount of tokens: decimal text, or a number in old messages. */
export function amount(json: Json, key: string): bigint {
  const value = json[key];
  if (typeof value === 'string' && /^\d+$/.test(value)) return BigInt(value);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw new MessageError(`${key} is not an amount`);
}

const noHexDigit = /[^0-9a-fA-F]/;

/** Bytes given as hex, with or without 0x; undefined if it is not hex. */
export function hexBytes(value: unknown): Buffer | undefined {
  if (typeof value !== 'string') return undefined;
  const digits = value.startsWith('0x') ? value.slice(2) : value;
  return digits.length % 2 !== 0 || noHexDigit.test(digits) ? undefined : Buffer.from(digits, 'hex');
}

/** Like `bytes`, for a required field. */
export function bytes(value: unknown, name: string, length?: number): Buffer {
  const result = hexBytes(value);
  if (result === undefined) throw new MessageError(`${name} is not hex text`);
  if (length !== undefined && result.length !== length) {
    throw new MessageError(`${name} has ${result.length} bytes, not ${length}`);
  }
  return result;
}
