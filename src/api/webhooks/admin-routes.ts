import type { IncomingMessage } from 'node:http';
import type { Network } from '@cairn-stacks/codec/network';
import { addPredicate } from '../../chainhooks/add-predicate.ts';
import { badRequest, PublicError } from '../../errors.ts';
import {
  addHook,
  pause,
  redeliver,
  remove,
  resume,
  showDeliveries,
  showHook,
  showHooks,
  tryHook,
  type WebhookAdmin,
} from '../../webhooks/manage.ts';
import { type AdminResponse, checkAdmin, readAdminBody } from '../admin-request.ts';

const DEFAULT_LINES = 20;
const MAX_LINES = 100;

const EXPECTED =
  'expected GET or POST /admin/webhooks, GET or DELETE /admin/webhooks/NAME, GET /admin/webhooks/NAME/deliveries, ' +
  'or POST /admin/webhooks/NAME/pause, /resume, /test or /redeliver';

/** What hooks are managed with; `network` is that of the chain. */
export type HookAdmin = WebhookAdmin & { network?: Network | undefined };

/** Serves `/admin/webhooks`; undefined if the path is another one. */
export async function respondToWebhooks(
  request: IncomingMessage,
  path: string,
  token: string | undefined,
  admin: HookAdmin,
): Promise<AdminResponse | undefined> {
  if (!/^\/admin\/webhooks(\/|$)/.test(path)) return undefined;
  checkAdmin(request, token);
  const [, name, action = ''] = /^\/admin\/webhooks(?:\/([^/]+)(?:\/(\w+))?)?\/?$/.exec(path) ?? [];
  const ok = (body: unknown) => ({ status: 200, body });
  const { sql } = admin;
  switch (`${request.method} ${name === undefined ? path.replace(/\/$/, '') : action}`) {
    case 'GET /admin/webhooks':
      return ok({ webhooks: await showHooks(sql) });
    case 'POST /admin/webhooks':
      return { status: 201, body: await add(admin, await readAdminBody(request)) };
    case 'GET ':
      return ok(await showHook(sql, name!));
    case 'DELETE ':
      await remove(sql, name!);
      return ok({ name, removed: true });
    case 'GET deliveries':
      return ok({ deliveries: await showDeliveries(sql, name!, ...pageOf(request)) });
    case 'POST pause':
      return ok(await pause(sql, name!));
    case 'POST resume':
      return ok(await resume(sql, name!, await readAdminBody(request), admin.openPayload));
    case 'POST test':
      return ok(await tryHook(admin, name!));
    case 'POST redeliver':
      return ok(await redeliver(sql, name!, await readAdminBody(request), admin.openPayload));
    default:
      throw new PublicError(405, EXPECTED);
  }
}

/** A webhook of its own form, or a predicate of Chainhook 1.x. */
async function add(admin: HookAdmin, body: unknown) {
  if (typeof body !== 'object' || body === null || !('chainhook' in body)) return await addHook(admin, body);
  const { chainhook, ...others } = body;
  const [other] = Object.keys(others);
  if (other !== undefined) throw badRequest(`${other} cannot be given beside chainhook, which says everything`);
  return await addPredicate(admin, admin.network, chainhook);
}

/** `limit` and `before` of the query. */
function pageOf({ url = '' }: IncomingMessage): [number, bigint | undefined] {
  const query = new URLSearchParams(url.split('?', 2)[1]);
  const limit = query.get('limit') ?? String(DEFAULT_LINES);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LINES)
    throw badRequest(`limit: expected a number from 1 to ${MAX_LINES}`);
  const before = query.get('before');
  if (before !== null && !/^\d{1,18}$/.test(before)) throw badRequest('before: expected the id of a delivery');
  return [Number(limit), before === null ? undefined : BigInt(before)];
}
