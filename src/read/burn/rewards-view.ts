import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import type { BlockKey } from '../blocks/blocks-queries.ts';
import { renderBurnReward, renderBurnSlot, renderPoxTransaction } from './burn-reward-schema.ts';
import {
  listBurnRewards,
  listBurnSlots,
  listPoxOutputsOf,
  listPoxOutputsTo,
  sumBurnRewards,
} from './burn-rewards-queries.ts';

type Page = { limit: number; offset: number };

/** Reward slots by burn block, newest first; of one Bitcoin address where given. */
export async function listRewardSlots(sql: Sql, page: Page, address?: string) {
  const { total, rows } = await listBurnSlots(sql, page, address);
  return { ...page, total, results: rows.map(renderBurnSlot) };
}

/** Payments of burn blocks, newest first; to one Bitcoin address where given. */
export const listRewards = async (sql: Sql, page: Page, recipient?: string) => ({
  ...page,
  results: (await listBurnRewards(sql, page, recipient)).map(renderBurnReward),
});

/** The sum of all payments to a Bitcoin address, in satoshis. */
export const findRewardTotal = async (sql: Sql, recipient: string) => ({
  reward_recipient: recipient,
  reward_amount: (await sumBurnRewards(sql, recipient)).toString(),
});

/** Outputs of the block commits of a burn block. */
export async function listPoxTransactionsOf(sql: Sql, key: BlockKey, page: Page) {
  const listed = await listPoxOutputsOf(sql, key, page);
  if (!listed) throw notFound('Burn block not found');
  return { ...page, total: listed.total, results: listed.rows.map(renderPoxTransaction) };
}

/** Outputs of block commits to a Bitcoin address, newest first. */
export async function listPoxTransactionsTo(sql: Sql, address: string, page: Page) {
  const { total, rows } = await listPoxOutputsTo(sql, address, page);
  return { ...page, total, results: rows.map(renderPoxTransaction) };
}
