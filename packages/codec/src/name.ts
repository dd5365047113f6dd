import { latin1Range } from './byte-text.ts';
import { CodecError } from './error.ts';
import type { Reader } from './reader.ts';

/** The longest name that parses; deploys are held to 40 by the node. */
export const MAX_NAME_LENGTH = 128;

const LETTER = 1;
const CONTRACT = 2;
const CLARITY = 4;
const KINDS = new Uint8Array(256);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  if (/[a-zA-Z]/.test(char)) KINDS[code] = LETTER | CONTRACT | CLARITY;
  else if (/[0-9_-]/.test(char)) KINDS[code] = CONTRACT | CLARITY;
  else if (/[!?+<>=/*]/.test(char)) KINDS[code] = CLARITY;
}

const CONTRACT_NAME = /^(?:[a-zA-Z][a-zA-Z0-9_-]*|__transient)$/;
const CLARITY_NAME = /^(?:[a-zA-Z][a-zA-Z0-9_!?+<>=/*-]*|[-+=/*]|[<>]=?)$/;

/** Whether the text can name a contract (SIP-002). */
export function isContractName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && CONTRACT_NAME.test(text);
}

/** Whether the text can name a function, an asset or a tuple key (SIP-002). */
export function isClarityName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && CLARITY_NAME.test(text);
}

/** Reads a length byte and a contract name. */
export function readContractName(reader: Reader): string {
  const start = skipContractName(reader);
  return latin1Range(reader.bytes, start, reader.offset);
}

/** Reads a length byte and a Clarity name. */
export function readClarityName(reader: Reader): string {
  const start = skipClarityName(reader);
  return latin1Range(reader.bytes, start, reader.offset);
}

/** Checks a contract name and skips it; returns the offset of its first character. */
export function skipContractName(reader: Reader): number {
  return skipName(reader, CONTRACT, CONTRACT_NAME);
}

/** Checks a Clarity name and skips it; returns the offset of its first character. */
export function skipClarityName(reader: Reader): number {
  return skipName(reader, CLARITY, CLARITY_NAME);
}

function skipName(reader: Reader, kind: number, rule: RegExp): number {
  const lengthAt = reader.offset;
  const length = reader.u8();
  if (length === 0 || length > MAX_NAME_LENGTH) throw new CodecError(`a name of ${length} bytes`, lengthAt);
  const start = reader.skip(length);
  const { bytes } = reader;
  let bad = (KINDS[bytes[start]!]! & LETTER) === 0;
  for (let i = start + 1; i < start + length; i++) bad ||= (KINDS[bytes[i]!]! & kind) === 0;
  // The few names that start otherwise (`+`, `<=`, `__transient`) take the slow road.
  if (bad && !rule.test(latin1Range(bytes, start, start + length))) throw new CodecError('not a name', start);
  return start;
}
