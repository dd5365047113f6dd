import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { plainAddress } from '../config/address-set.ts';
import type { Pool } from '../db/client.ts';
import { badRequest, PublicError } from '../errors.ts';
import { hashOfKey } from '../http/keys/key-text.ts';

export type AdminOptions = {
  /** Connections to the primary that may write. */
  sql: Pool;
  /** The token that clients must send; undefined: only clients on this machine are served. */
  token: string | undefined;
};

export type AdminResponse = { status: number; body: unknown };

const MAX_BODY = 10_000;

/** Pages in a browser never get access: they could reach a port of this machine for a visitor. */
export function checkAdmin({ headers, socket }: IncomingMessage, token: string | undefined): void {
  if (headers.origin !== undefined) throw new PublicError(403, 'admin routes do not serve web pages');
  if (token !== undefined) {
    const given = headers.authorization?.replace(/^Bearer /i, '') ?? '';
    if (!isToken(given, token)) throw new PublicError(401, 'send CAIRN_ADMIN_TOKEN as "Authorization: Bearer TOKEN"');
    return;
  }
  const address = plainAddress(socket.remoteAddress ?? '');
  const isLocal = (address.startsWith('127.') || address === '::1') && headers['x-forwarded-for'] === undefined;
  if (!isLocal) throw new PublicError(403, 'admin routes serve only this machine: set CAIRN_ADMIN_TOKEN to open them');
}

/** Compares a text with a token in the same time whatever it is. */
export const isToken = (given: string, token: string): boolean =>
  timingSafeEqual(Buffer.from(hashOfKey(given)), Buffer.from(hashOfKey(token)));

/** The parsed body of a request; an absent one is an empty object. */
export async function readAdminBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new PublicError(413, `the body has more than ${MAX_BODY} bytes`);
    chunks.push(chunk);
  }
  if (size === 0) return {};
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw badRequest('the body is not JSON');
  }
}
