import { type Position, positionText, readPosition } from '../chain/position.ts';
import type { Pool } from '../db/client.ts';
import { badRequest, notFound, PublicError } from '../errors.ts';
import { Feed, type Needs } from '../stream/feed.ts';
import { readDefinition, readRange, readResume, type Start } from './definition.ts';
import { type DeliveryRow, listDeliveries, logDelivery } from './delivery-queries.ts';
import {
  deleteHook,
  findHook,
  findSecret,
  type HookRow,
  insertHook,
  listHooks,
  pauseHook,
  type Refusal,
  requestRedelivery,
  resumeHook,
} from './hook-queries.ts';
import type { HttpSender, Outcome } from './http-sender.ts';
import type { OpenPayload } from './payload.ts';
import type { SecretKeys } from './secret-box.ts';
import { openStreamPayload } from './stream-payload.ts';

export type WebhookAdmin = {
  /** Connections to the primary that may write. */
  sql: Pool;
  keys: SecretKeys;
  http: HttpSender;
  /** Networks that are not public and may be sent to. */
  allow: readonly string[];
  /** What hooks send; without it only messages of streams. */
  openPayload?: OpenPayload;
};

/** Hooks of one database. Each one that is active is read for and kept in metrics. */
export const MAX_HOOKS = 1000;

const unknownHook = (name: string) => notFound(`there is no webhook with the name ${name}`);

/** What to do about a refusal. */
export const refusals: Record<Refusal, (name: string) => string> = {
  'name in use': name => `a webhook with the name ${name} exists: remove it first`,
  'other key': () =>
    'the secrets of the other webhooks are encrypted with another key: set CAIRN_WEBHOOK_KEY here as in the service, or use its data folder',
  'too many': () => `there are ${MAX_HOOKS} webhooks already: remove some`,
};

/** Adds a hook; gives it with its secret, which is not shown again. */
export async function addHook({ sql, keys, allow }: WebhookAdmin, body: unknown) {
  const { name, url, selection, view, secret, start, batch } = readDefinition(body, allow);
  const at = await positionOf(sql, start, view.needs);
  const box = await keys.findOrMake();
  const refusal = await insertHook(
    sql,
    {
      ...{ name, url, selection, payload: '1', batch, secret: box.seal(secret, name), secret_key: box.id },
      ...{ position: positionText(at), height: at.height },
    },
    MAX_HOOKS,
  );
  if (refusal) throw new PublicError(409, refusals[refusal](name));
  return { ...(await showHook(sql, name)), secret };
}

/** The position at which a hook begins; 4xx if nothing can be read from there. */
async function positionOf(sql: Pool, start: Start, needs: Needs): Promise<Position> {
  const feed = new Feed(sql);
  if (start === 'now') return await feed.tip();
  if (typeof start === 'number') return await feed.before(start);
  const position = readPosition(start);
  if (!position) throw badRequest('start: the position is not one of this API: use one from a message');
  await feed.after(position, needs, undefined);
  return position;
}

/** All hooks by name. */
export const showHooks = async (sql: Pool) => (await listHooks(sql)).map(renderHook);

export async function showHook(sql: Pool, name: string): Promise<RenderedHook> {
  const row = await findHook(sql, name);
  if (!row) throw unknownHook(name);
  return renderHook(row);
}

/** Stops a hook; it stays where it is. */
export async function pause(sql: Pool, name: string): Promise<RenderedHook> {
  if (!(await pauseHook(sql, name))) throw unknownHook(name);
  return await showHook(sql, name);
}

/** Lets a hook go on at once, from where it stood or from another start. */
export async function resume(
  sql: Pool,
  name: string,
  body: unknown,
  openPayload: OpenPayload = openStreamPayload,
): Promise<RenderedHook> {
  const start = readResume(body);
  const row = await findHook(sql, name);
  if (!row) throw unknownHook(name);
  const at = start === undefined ? undefined : await positionOf(sql, start, openPayload(row).needs);
  const moved = at && { position: positionText(at), height: at.height };
  if (!(await resumeHook(sql, name, moved))) throw unknownHook(name);
  return await showHook(sql, name);
}

export async function remove(sql: Pool, name: string): Promise<void> {
  if (!(await deleteHook(sql, name))) throw unknownHook(name);
}

/** Has the blocks of a range delivered once more, after what is due. */
export async function redeliver(
  sql: Pool,
  name: string,
  body: unknown,
  openPayload: OpenPayload = openStreamPayload,
): Promise<RenderedHook> {
  const { from, to } = readRange(body);
  const row = await findHook(sql, name);
  if (!row) throw unknownHook(name);
  if (!openPayload(row).sendsBlocks)
    throw badRequest('the webhook has no blocks to deliver again: its only topic is mempool');
  if (from > row.height)
    throw badRequest(`the webhook has received blocks up to ${row.height}, and none from ${from} on`);
  const at = await new Feed(sql).before(from);
  const range = { position: positionText(at), from, to: Math.min(to, row.height) };
  if (!(await requestRedelivery(sql, name, range))) {
    const { redelivery } = await showHook(sql, name);
    throw new PublicError(409, `the blocks ${redelivery?.from} to ${redelivery?.to} are still being delivered again`);
  }
  return await showHook(sql, name);
}

/** Sends a request without messages, whatever the state of the hook. */
export async function tryHook(admin: WebhookAdmin, name: string) {
  const { sql, keys, http, openPayload = openStreamPayload } = admin;
  const row = await findHook(sql, name);
  const sealed = row && (await findSecret(sql, row.id));
  if (!row || !sealed) throw unknownHook(name);
  const secret = (await keys.find())?.open(sealed, name);
  if (secret === undefined) throw new PublicError(409, refusals['other key'](name));
  const now = new Date();
  const payload = openPayload(row);
  const body = payload.testBodyOf(name, now);
  const id = `msg_test_${now.getTime()}`;
  const outcome = await http.post(row.url, payload.headersOf(secret, id, body), body, new AbortController().signal);
  await logDelivery(sql, row.id, {
    ...{ kind: 'test', message: id, attempt: 1, messages: 0, first_height: null, last_height: null },
    ...{ status: outcome.status ?? null, error: errorOf(outcome), duration_ms: outcome.durationMs },
  });
  return {
    ...{ name, delivered: outcome.ok, status: outcome.status ?? null },
    ...{ error: errorOf(outcome), duration_ms: outcome.durationMs },
  };
}

const errorOf = (outcome: Outcome) => (outcome.ok ? null : outcome.error);

/** The newest lines of the log of a hook, before the line with an id. */
export async function showDeliveries(sql: Pool, name: string, limit: number, before?: bigint) {
  const row = await findHook(sql, name);
  if (!row) throw unknownHook(name);
  return (await listDeliveries(sql, row.id, limit, before)).map(renderDelivery);
}

const renderDelivery = ({ id, message, at, ...rest }: DeliveryRow) => ({
  id: String(id),
  at: at.toISOString(),
  webhook_id: message,
  ...rest,
});

export type RenderedHook = ReturnType<typeof renderHook>;

/** A hook as operators see it. `failing` is an active one whose last request has failed. */
function renderHook(row: HookRow) {
  const { name, url, selection, payload, batch, state, reason, position, height, tip, failures } = row;
  const isActive = state === 'active';
  return {
    name,
    url,
    filter: selection,
    payload: payload === '1' ? (1 as const) : payload,
    batch,
    state: isActive && failures > 0 ? 'failing' : state,
    reason,
    position,
    block_height: height,
    // Block 0 is a part of block 1.
    backlog_blocks: Math.max(0, tip - Math.max(0, height)),
    failures,
    failing_since: row.failing_since?.toISOString() ?? null,
    next_attempt_at: isActive && failures > 0 ? row.due.toISOString() : null,
    last_error: row.last_error,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    deliveries: Number(row.deliveries),
    messages: Number(row.messages),
    redelivery: row.again_from === null || row.again_to === null ? null : { from: row.again_from, to: row.again_to },
    created_at: row.created_at.toISOString(),
  };
}
