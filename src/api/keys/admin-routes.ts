import type { IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Pool } from '../../db/client.ts';
import { badRequest, notFound, PublicError } from '../../errors.ts';
import { issueKey } from '../../http/keys/issue-key.ts';
import { type ApiKeyRow, listKeys, revokeKey } from '../../http/keys/key-queries.ts';
import { KEY_NAME } from '../../http/keys/key-text.ts';
import { type AdminOptions, type AdminResponse, checkAdmin, readAdminBody } from '../admin-request.ts';

const maxUnits = 1_000_000_000;

const limit = (minimum: number) => Type.Optional(Type.Integer({ minimum, maximum: maxUnits }));
const NewKey = Type.Object(
  {
    name: Type.String({ pattern: KEY_NAME.source }),
    per_second: limit(0),
    burst: limit(1),
    max_open: limit(1),
    hooks: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** Serves `/admin/keys`; undefined if the path is another one. */
export async function respondToKeys(
  request: IncomingMessage,
  path: string,
  { sql, token }: AdminOptions,
): Promise<AdminResponse | undefined> {
  const [, name] = /^\/admin\/keys(?:\/([^/]+))?\/?$/.exec(path) ?? [];
  if (!/^\/admin\/keys(\/|$)/.test(path)) return undefined;
  checkAdmin(request, token);
  const { method } = request;
  if (method === 'GET' && name === undefined)
    return { status: 200, body: { keys: (await listKeys(sql)).map(renderKey) } };
  if (method === 'POST' && name === undefined) return await add(sql, await readAdminBody(request));
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
      `expected {"name", "per_second"?, "burst"?, "max_open"?, "hooks"?}: ${first?.instancePath} ${first?.message}`,
    );
  }
  const { name, per_second = null, burst = null, max_open = null, hooks = false } = body;
  const key = await issueKey(sql, name, { per_second, burst, max_open }, hooks);
  if (key === undefined) throw new PublicError(409, `a key with the name ${name} is in use: revoke it first`);
  return { status: 201, body: { name, key } };
}

/** A key as operators see it: its hash is not shown. */
export const renderKey = ({ name, per_second, burst, max_open, hooks, created_at, revoked_at }: ApiKeyRow) => ({
  name,
  per_second,
  burst,
  max_open,
  hooks,
  created_at: created_at.toISOString(),
  revoked_at: revoked_at?.toISOString() ?? null,
});
