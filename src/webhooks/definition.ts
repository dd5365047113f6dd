import { isIP } from 'node:net';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { positionPattern } from '../chain/position.ts';
import { badRequest } from '../errors.ts';
import { addressGuard } from '../outbound/address-guard.ts';
import { viewOf, viewQuery } from '../stream/stream-params.ts';
import type { View } from '../stream/view.ts';
import { PAYLOAD } from './batch.ts';
import { newSecret, SECRET_FORM, secretBytes } from './signature.ts';

/** Names are safe in URLs and in labels of metrics. */
const HOOK_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const closed = { additionalProperties: false };

/** Topics and filters, as those of a stream. */
const Selection = Type.Object(viewQuery, closed);
export type Selection = Static<typeof Selection>;

/** Where a hook begins: with what happens from now on, with a block, or after a position. */
const Start = Type.Union([
  Type.Literal('now'),
  Type.Integer({ minimum: 0, maximum: 2_147_483_646 }),
  Type.String({ pattern: positionPattern }),
]);
export type Start = Static<typeof Start>;

const NewHook = Type.Object(
  {
    name: Type.String({ pattern: HOOK_NAME.source }),
    url: Type.String({ minLength: 1, maxLength: 2048 }),
    filter: Type.Optional(Selection),
    secret: Type.Optional(Type.String({ maxLength: 200 })),
    start: Type.Optional(Start),
    payload: Type.Optional(Type.Literal(PAYLOAD)),
    batch: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  },
  closed,
);

const Resume = Type.Object({ start: Type.Optional(Start) }, closed);
const Range = Type.Object({ from: Type.Integer({ minimum: 0 }), to: Type.Integer({ minimum: 0 }) }, closed);

const DEFAULT_BATCH = 100;

export type Definition = {
  name: string;
  url: string;
  selection: Selection;
  view: View;
  secret: string;
  start: Start;
  batch: number;
};

/** What an operator asks for; 400 with what is wrong. `allow` are the networks that are not public and may be sent to. */
export function readDefinition(body: unknown, allow: readonly string[]): Definition {
  const {
    name,
    url,
    filter = {},
    secret = newSecret(),
    start = 'now',
    batch = DEFAULT_BATCH,
  } = checked(NewHook, body, '{"name", "url", "filter"?, "secret"?, "start"?, "payload"?, "batch"?}');
  if (!secretBytes(secret)) throw badRequest(`secret: expected ${SECRET_FORM}`);
  return { name, url: checkedUrl(url, allow), selection: filter, view: viewOf(filter), secret, start, batch };
}

export const readResume = (body: unknown): Start | undefined => checked(Resume, body, '{"start"?}').start;

export function readRange(body: unknown): { from: number; to: number } {
  const range = checked(Range, body, '{"from", "to"}: the heights of the first and the last block');
  if (range.from > range.to) throw badRequest(`from ${range.from} is above to ${range.to}`);
  return range;
}

/** The body if it fits the schema; else 400 with what was expected and the first thing that is wrong. */
function checked<S extends Type.TSchema>(schema: S, body: unknown, expected: string): Static<S> {
  if (Value.Check(schema, body)) return body as Static<S>;
  const [first] = Value.Errors(schema, body);
  const where = first?.instancePath ? `${first.instancePath.slice(1).replaceAll('/', '.')} ` : '';
  throw badRequest(`expected ${expected}: ${where}${first?.message}`);
}

/** The URL as it is requested. Addresses in it are checked now; those that names lead to whenever a connection is opened. */
export function checkedUrl(text: string, allow: readonly string[]): string {
  if (!URL.canParse(text)) throw badRequest('url: expected a URL that starts with https://');
  const url = new URL(text);
  const { protocol, hostname, username, password, hash } = url;
  if (protocol !== 'https:' && protocol !== 'http:') throw badRequest('url: only https is sent to, and http inside');
  if (username || password)
    throw badRequest('url: user names and passwords are not sent: the signature proves the sender');
  if (hash) throw badRequest('url: remove the fragment, which no server receives');
  const host = hostname.replace(/^\[|\]$/g, '');
  const guard = addressGuard(allow, protocol === 'http:' ? 'none' : 'public');
  const refused = isIP(host) === 0 ? undefined : guard(host);
  if (refused !== undefined)
    throw badRequest(`url: ${host} is refused: ${refused}; CAIRN_WEBHOOK_ALLOW may name its network`);
  if (protocol === 'http:' && allow.length === 0)
    throw badRequest('url: http is sent only to networks of CAIRN_WEBHOOK_ALLOW, which is empty: use https');
  return url.href;
}
