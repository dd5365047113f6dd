import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The beginning of every key, by which scanners of leaked secrets recognize it. */
const PREFIX = 'cairn_';
const FORM = /^cairn_[A-Za-z0-9_-]{43}$/;

/** A new random key of 256 bits. */
export const newKey = (): string => PREFIX + randomBytes(32).toString('base64url');

/** Whether a text may be a key. */
export const isKey = (text: string): boolean => FORM.test(text);

/** The SHA-256 of a key, in base64. */
export const hashOfKey = (key: string): string => hash('sha256', key, 'base64');

/** The key that a request presents, whatever its form; undefined without one. */
export function presentedKey({ headers }: IncomingMessage): string | undefined {
  const own = headers['x-api-key'];
  if (own !== undefined) return String(own);
  // Clients of the incumbent's hosts send their key there; one that is not of this service counts as none.
  const theirs = headers['x-hiro-api-key'];
  if (typeof theirs === 'string' && isKey(theirs)) return theirs;
  const { authorization } = headers;
  return authorization !== undefined && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined;
}

/** The key that an upgrade request presents: browsers cannot set headers of a WebSocket, so that the query may name the key. */
export function presentedOnUpgrade(request: IncomingMessage): string | undefined {
  const query = /[?&]api_key=([^&]*)/.exec(request.url ?? '')?.[1];
  return presentedKey(request) ?? query;
}

/** Limits by which names of keys are safe in labels of metrics and in URLs. */
export const KEY_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
