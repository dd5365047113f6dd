import type { Sql } from '../../db/client.ts';
import { eventPositionCursor } from '../events/event-position-schema.ts';
import { cutList, renderKeyedPage, startOf } from '../pages/cursor-list-schema.ts';
import {
  assetCursor,
  changeCursor,
  isAtAsset,
  isAtChange,
  renderBalanceChange,
  renderTransactionBalanceChange,
  sortChanges,
} from './balance-change-schema.ts';
import { listBalanceChanges } from './balance-changes-queries.ts';
import { findMiningTotals, listMiningRewards } from './mining-queries.ts';
import { renderMiningReward, renderMiningTotals, rewardCursor } from './mining-schema.ts';
import { renderFtTransfer, renderStxTransfer } from './principal-transfer-schema.ts';
import * as queries from './transfers-queries.ts';

type TextPage = { limit: number; cursor: string | undefined };

/** How one transaction changed the balances of a principal, asset by asset. */
export async function listChangesByTransaction(
  sql: Sql,
  principal: Uint8Array,
  txId: Uint8Array,
  { limit, cursor }: TextPage,
) {
  const rows = sortChanges(await listBalanceChanges(sql, principal, [txId]));
  const start = startOf(rows, cursor, isAtAsset);
  const rendering = { cursorOf: assetCursor, render: renderBalanceChange };
  return { body: cutList(rows, { start, limit, wholePages: true }, rendering), height: rows[0]?.height };
}

/** How some transactions changed the balances of a principal. */
export async function listChangesByTransactions(
  sql: Sql,
  principal: Uint8Array,
  txIds: Uint8Array[],
  { limit, cursor }: TextPage,
) {
  const rows = sortChanges(await listBalanceChanges(sql, principal, txIds));
  const start = startOf(rows, cursor, isAtChange);
  const rendering = { cursorOf: changeCursor, render: renderTransactionBalanceChange };
  return cutList(rows, { start, limit, wholePages: true }, rendering);
}

/** All mining rewards of a principal, summed. */
export const findMining = async (sql: Sql, principal: Uint8Array) =>
  renderMiningTotals(await findMiningTotals(sql, principal));

type RewardPage = Parameters<typeof listMiningRewards>[2];

/** Mining rewards of a principal, newest first. */
export async function listMiningRewardsOf(sql: Sql, principal: Uint8Array, page: RewardPage) {
  const found = await listMiningRewards(sql, principal, page);
  return renderKeyedPage(found, page.limit, { cursorOf: rewardCursor, render: renderMiningReward });
}

type StxPage = Parameters<typeof queries.listStxTransfers>[3];
type FtPage = Parameters<typeof queries.listFtTransfers>[3];

/** STX that came to a principal or left it, newest first. */
export async function listStxTransfers(
  sql: Sql,
  principal: Uint8Array,
  direction: 'inbound' | 'outbound',
  page: StxPage,
) {
  const found = await queries.listStxTransfers(sql, principal, direction, page);
  return renderKeyedPage(found, page.limit, { cursorOf: eventPositionCursor, render: renderStxTransfer });
}

/** Transfers of a fungible token from and to a principal, newest first; none where there is no such token. */
export async function listFtTransfers(
  sql: Sql,
  principal: Uint8Array,
  asset: { contract: Uint8Array; name: string },
  page: FtPage,
) {
  const found = await queries.listFtTransfers(sql, principal, asset, page);
  return renderKeyedPage(found, page.limit, { cursorOf: eventPositionCursor, render: renderFtTransfer });
}
