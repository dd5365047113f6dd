import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { plainAddress } from '../../config/address-set.ts';
import type { Pool } from '../../db/client.ts';
import { badRequest, notFound, PublicError } from '../../errors.ts';
import { issueKey } from '../../http/keys/issue-key.ts';
import { type ApiKeyRow, listKeys, revokeKey } from '../../http/keys/key-queries.ts';
import { hashOfKey, KEY_NAME } from '../../http/keys/key-text.ts';

export type AdminOptions = {
  /** Connections to the primary that may write. */
  sql: Pool;
  /** The token that clients must send; undefined: only clients on this machine are served. */
  token: string | undefined;
};

export type AdminResponse = { status: number; body: unknown };

const MAX_BODY = 10_000;
const maxUnits = 1_000_000_000;

const limit = (minimum: number) => Type.Optional(Type.Integer({ minimum, maximum: maxUnits }));
const NewKey = Type.Object(
  { name: Type.String({ pattern: KEY_NAME.source }), per_second: limit(0), burst: limit(1), max_open: limit(1) },
  { additionalProperties: false },
);

/** Serves `/admin/keys`; undefined if the path is another one. */
export async function respondToAdmin(
  request: IncomingMessage,
  path: string,
  { sql, token }: AdminOptions,
): Promise<AdminResponse | undefined> {
  const [, name] = /^\/admin\/keys(?:\/([^/]+))?\/?$/.exec(path) ?? [];
  if (!/^\/admin\/keys(\/|$)/.test(path)) return undefined;
  checkClient(request, token);
  const { method } = request;
  if (method === 'GET' && name === undefined)
    return { status: 200, body: { keys: (await listKeys(sql)).map(renderKey) } };
  if (method === 'POST' && name === undefined) return await add(sql, await readBody(request));
  if (method === 'DELETE' && name !== undefined) {
    if (!(await revokeKey(sql, name))) throw notFound(`there is no key with the name ${name}`);
    return { status: 200, body: { name, revoked: true } };
  }
  throw new PublicError(405, 'expected GET or POST /admin/keys, or DELETE /admin/keys/NAME');
}

async function add(sql: Pool, body: unknown): Promise<AdminResponse> {
  if (!Value.Check(NewKey, body)) {
    const [first] = Value.Errors(NewKey, body);
    throw badRequest(
      `expected {"name", "per_second"?, "burst"?, "max_open"?}: ${first?.instancePath} ${first?.message}`,
    );
  }
  const { name, per_second = null, burst = null, max_open = null } = body;
  const key = await issueKey(sql, name, { per_second, burst, max_open });
  if (key === undefined) throw new PublicError(409, `a key with the name ${name} is in use: revoke it first`);
  return { status: 201, body: { name, key } };
}

/** A key as operators see it: its hash is not shown. */
export const renderKey = ({ name, per_second, burst, max_open, created_at, revoked_at }: ApiKeyRow) => ({
  name,
  per_second,
  burst,
  max_open,
  created_at: created_at.toISOString(),
  revoked_at: revoked_at?.toISOString() ?? null,
});

/** Pages in a browser never get access: they could reach a port of this machine for a visitor. */
function checkClient({ headers, socket }: IncomingMessage, token: string | undefined): void {
  if (headers.origin !== undefined) throw new PublicError(403, 'admin routes do not serve web pages');
  if (token !== undefined) {
    const given = headers.authorization?.replace(/^Bearer /i, '') ?? '';
    const same = timingSafeEqual(Buffer.from(hashOfKey(given)), Buffer.from(hashOfKey(token)));
    if (!same) throw new PublicError(401, 'send CAIRN_ADMIN_TOKEN as "Authorization: Bearer TOKEN"');
    return;
  }
  const address = plainAddress(socket.remoteAddress ?? '');
  const isLocal = (address.startsWith('127.') || address === '::1') && headers['x-forwarded-for'] === undefined;
  if (!isLocal) throw new PublicError(403, 'admin routes serve only this machine: set CAIRN_ADMIN_TOKEN to open them');
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new PublicError(413, `the body has more than ${MAX_BODY} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw badRequest('the body is not JSON');
  }
}
