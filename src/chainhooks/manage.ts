import { randomUUID } from 'node:crypto';
import { fromHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { positionText } from '../chain/position.ts';
import type { Pool, Sql } from '../db/client.ts';
import { notFound, PublicError } from '../errors.ts';
import { Feed } from '../stream/feed.ts';
import { addEvaluation, MAX_EVALUATIONS } from '../webhooks/evaluation-queries.ts';
import { deleteHook, insertHook, pauseHook, resumeHook } from '../webhooks/hook-queries.ts';
import { MAX_HOOKS, refusals } from '../webhooks/manage.ts';
import type { SecretKeys } from '../webhooks/secret-box.ts';
import { findHeight } from './block-queries.ts';
import {
  type ChainhookRow,
  countChainhooks,
  type Ends,
  findChainhook,
  insertChainhook,
  listChainhooks,
  updateDefinition,
  updateEnds,
} from './chainhook-queries.ts';
import { type Chainhook, renderChainhook, statusOf } from './chainhook-schema.ts';
import { adoptSecret } from './consumer.ts';
import { changeDefinition, readDefinition } from './definition.ts';
import type { Options } from './definition-schema.ts';
import type { EnableMany, Evaluate } from './request-schema.ts';

export type ChainhookAdmin = {
  /** Connections to the primary that may write. */
  sql: Pool;
  keys: SecretKeys;
  /** Networks that are not public and may be sent to. */
  allow: readonly string[];
  network: Network;
};

/** Chainhooks of one owner. */
const MAX_OF_OWNER = 200;

const unknown = (uuid: string) => notFound(`there is no chainhook ${uuid}`);

export async function showChainhooks({ sql }: ChainhookAdmin, owner: string, page: { limit: number; offset: number }) {
  const total = await countChainhooks(sql, owner);
  return { ...page, total, results: (await listChainhooks(sql, owner, page)).map(renderChainhook) };
}

export async function showChainhook({ sql }: ChainhookAdmin, owner: string, uuid: string): Promise<Chainhook> {
  const row = await findChainhook(sql, owner, uuid.toLowerCase());
  if (!row) throw unknown(uuid);
  return renderChainhook(row);
}

/** Stores a chainhook that begins with the next block, or waits until it is enabled. */
export async function register(admin: ChainhookAdmin, owner: string, body: unknown): Promise<Chainhook> {
  const { sql, keys } = admin;
  const definition = readDefinition(body, admin);
  const uuid = randomUUID();
  const name = `chainhook-${uuid}`;
  const options = definition.options ?? {};
  const tip = await new Feed(sql).tip();
  const box = await keys.findOrMake();
  const isOn = options.enable_on_registration === true;
  const hook = {
    ...{
      name,
      url: definition.action.url,
      selection: { uuid, definition },
      payload: 'chainhooks-2' as const,
      batch: 1,
    },
    ...{ secret: box.seal('', name), secret_key: box.id, position: positionText(tip), height: tip.height },
    ...{ state: isOn ? ('active' as const) : ('paused' as const), ...(isOn && endsFrom(options, tip.height, 0n)) },
  };
  const refusal = await insertHook(sql, hook, MAX_HOOKS, async (inside, id) => {
    if ((await countChainhooks(inside, owner)) >= MAX_OF_OWNER)
      throw new PublicError(409, `there are ${MAX_OF_OWNER} chainhooks already: delete some`);
    await insertChainhook(inside, id, uuid, owner);
    await adoptSecret(inside, { keys, box }, owner, { id, name });
  });
  if (refusal) throw new PublicError(409, refusals[refusal](name));
  return await showChainhook(admin, owner, uuid);
}

/** When a chainhook that begins here expires. */
const endsFrom = (options: Options, height: number, occurrences: bigint): Ends => ({
  end_height:
    options.expire_after_evaluations === undefined ? null : Math.max(0, height) + options.expire_after_evaluations,
  end_occurrences:
    options.expire_after_occurrences === undefined ? null : Number(occurrences) + options.expire_after_occurrences,
});

/** Changes some fields of a definition; the chainhook stays where it is. */
export async function change(admin: ChainhookAdmin, owner: string, uuid: string, body: unknown): Promise<Chainhook> {
  await admin.sql.begin(async sql => {
    const row = await locked(sql, owner, uuid);
    const { definition: before } = row.selection;
    const definition = changeDefinition(before, body, admin);
    const [then, now] = [before.options ?? {}, definition.options ?? {}];
    const isLimited =
      then.expire_after_evaluations !== now.expire_after_evaluations ||
      then.expire_after_occurrences !== now.expire_after_occurrences;
    const ends = isLimited ? endsFrom(now, row.height, row.occurrences) : endsOf(row);
    const selection = { uuid: row.uuid, definition };
    await updateDefinition(sql, row.hook, { url: definition.action.url, selection, ends });
  });
  return await showChainhook(admin, owner, uuid);
}

const endsOf = ({ end_height, end_occurrences }: ChainhookRow): Ends => ({
  end_height,
  end_occurrences: end_occurrences === null ? null : Number(end_occurrences),
});

async function locked(sql: Sql, owner: string, uuid: string): Promise<ChainhookRow> {
  const row = await findChainhook(sql, owner, uuid.toLowerCase(), true);
  if (!row) throw unknown(uuid);
  return row;
}

export async function removeChainhook({ sql }: ChainhookAdmin, owner: string, uuid: string): Promise<void> {
  await sql.begin(async inside => {
    const { name } = await locked(inside, owner, uuid);
    await deleteHook(inside, name);
  });
}

/**
 * Starts or stops a chainhook. One that its owner had stopped, or that had expired, goes on with the next block; one that its
 * receiver had stopped goes on where it stood.
 */
export async function enable(admin: ChainhookAdmin, owner: string, uuid: string, enabled: boolean): Promise<void> {
  const tip = await new Feed(admin.sql).tip();
  await admin.sql.begin(async sql => {
    const row = await locked(sql, owner, uuid);
    if (!enabled) {
      if (row.state !== 'expired') await pauseHook(sql, row.name);
      return;
    }
    if (row.state === 'active') return;
    if (statusOf(row) === 'interrupted') return void (await resumeHook(sql, row.name, undefined));
    const fresh = endsFrom(row.selection.definition.options ?? {}, tip.height, row.occurrences);
    const isExpired = row.state === 'expired';
    const left = row.end_height === null || isExpired ? undefined : row.end_height - row.height;
    await updateEnds(sql, row.hook, {
      end_height: left === undefined ? fresh.end_height : tip.height + left,
      end_occurrences: isExpired ? fresh.end_occurrences : (endsOf(row).end_occurrences ?? fresh.end_occurrences),
    });
    await resumeHook(sql, row.name, { position: positionText(tip), height: tip.height });
  });
}

/** Starts or stops the chainhooks that all fields of a selection name; gives their ids. */
export async function enableMany(
  admin: ChainhookAdmin,
  owner: string,
  { enabled, filters }: EnableMany,
): Promise<string[]> {
  const { uuids, webhook_url: url, statuses } = filters;
  const wanted = uuids && new Set(uuids.map(uuid => uuid.toLowerCase()));
  const rows = await listChainhooks(admin.sql, owner, { limit: MAX_OF_OWNER, offset: 0 });
  const chosen = rows.filter(
    row =>
      (wanted?.has(row.uuid) ?? true) &&
      (url === undefined || hrefOf(url) === row.selection.definition.action.url) &&
      (statuses?.includes(statusOf(row)) ?? true),
  );
  for (const { uuid } of chosen) await enable(admin, owner, uuid, enabled);
  return chosen.map(({ uuid }) => uuid);
}

/** A URL as it is stored. */
const hrefOf = (text: string) => (URL.canParse(text) ? new URL(text).href : text);

/** Has one block delivered, if it matches, after what is due. */
export async function evaluate({ sql }: ChainhookAdmin, owner: string, uuid: string, block: Evaluate): Promise<void> {
  const row = await findChainhook(sql, owner, uuid.toLowerCase());
  if (!row) throw unknown(uuid);
  const { block_height: height, index_block_hash: hash } = block;
  const status = statusOf(row);
  if (status === 'expired' || status === 'interrupted')
    throw new PublicError(409, `the chainhook is ${status} (${row.reason}): enable it first`);
  const found = await findHeight(
    sql,
    height === undefined ? { indexHash: fromHex(`0x${hash!.replace(/^0x/, '')}`) } : { height },
  );
  if (found === undefined) throw notFound('there is no such block on the chain');
  if (!(await addEvaluation(sql, row.hook, found)))
    throw new PublicError(429, `${MAX_EVALUATIONS} blocks wait to be evaluated already: ask again later`);
}
