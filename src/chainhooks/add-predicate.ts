import type { Network } from '@cairn-stacks/codec/network';
import { positionText } from '../chain/position.ts';
import { PublicError } from '../errors.ts';
import { Feed } from '../stream/feed.ts';
import { insertHook } from '../webhooks/hook-queries.ts';
import { MAX_HOOKS, type RenderedHook, refusals, showHook, type WebhookAdmin } from '../webhooks/manage.ts';
import { insertChainhook } from './chainhook-queries.ts';
import { readPredicate } from './predicate.ts';

/** Adds a predicate of Chainhook 1.x as a webhook of the operator, which has the uuid as its name. */
export async function addPredicate(
  { sql, keys, allow }: WebhookAdmin,
  network: Network | undefined,
  body: unknown,
): Promise<RenderedHook> {
  const { url, authorization, ...predicate } = readPredicate(body, { network, allow });
  const { uuid, start_block: start, end_block, blocks, expire_after_occurrence: most } = predicate;
  const feed = new Feed(sql);
  const tip = await feed.tip();
  const first = blocks ? Math.min(...blocks) : start;
  const at = first === undefined || first > tip.height ? tip : await feed.before(first);
  const box = await keys.findOrMake();
  const hook = {
    ...{ name: uuid, url, selection: { ...predicate, tip: tip.height }, payload: 'chainhook-1' as const, batch: 1 },
    ...{ secret: box.seal(authorization, uuid), secret_key: box.id, position: positionText(at), height: at.height },
    ...{ end_height: blocks ? Math.max(...blocks) : (end_block ?? null), end_occurrences: most ?? null },
  };
  const refusal = await insertHook(sql, hook, MAX_HOOKS, async (inside, id) => {
    if (!(await insertChainhook(inside, id, uuid, null)))
      throw new PublicError(409, `a chainhook with the uuid ${uuid} exists`);
  });
  if (refusal) throw new PublicError(409, refusals[refusal](uuid));
  return await showHook(sql, uuid);
}
