import { eventCodes } from '../../chain/event.ts';
import { payloadIds } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { inBlockRange } from '../pages/block-range-queries.ts';
import { hasOutcome } from '../transactions/filter-queries.ts';
import { type EventHistoryFilter, feeCode, rewardCode, type TransactionHistoryFilter } from './filter.ts';

type Fragment = Statement<unknown>;

const idOf = (sql: Sql, principal: Uint8Array) => sql`(select k.id from principals k where k.name = ${principal})`;

/** The condition that the transaction `t` called a function of this name. */
export const callsFunction = (sql: Sql, name: string) =>
  sql`t.function = (select n.id from functions n where n.name = ${name}) and t.function <> 0`;

const all = (sql: Sql, parts: readonly Fragment[]): Fragment =>
  parts.reduce((before, part) => sql`${before} and ${part}`, sql`true`);

const { contract_call: call, smart_contract: deploy, versioned_smart_contract: versionedDeploy } = payloadIds;

/** The condition that the transaction `t` matches; where the range is timed, `b` must be its block. */
export function transactionMatches(sql: Sql, filter: TransactionHistoryFilter): Fragment {
  const { range, sender, recipient, contract, functionName, outcome, types, nonce } = filter;
  const parts = inBlockRange(sql, range, sql`t.height`);
  if (sender) parts.push(sql`t.sender = ${idOf(sql, sender)}`);
  if (recipient) {
    parts.push(sql`t.type = ${constant(sql, payloadIds.token_transfer)} and t.target = ${idOf(sql, recipient)}`);
  }
  if (contract) {
    parts.push(sql`t.type in (${constant(sql, call, deploy, versionedDeploy)}) and t.target = ${idOf(sql, contract)}`);
  }
  if (functionName !== undefined) parts.push(callsFunction(sql, functionName));
  if (outcome !== undefined) parts.push(hasOutcome(sql, outcome));
  if (types) parts.push(sql`t.type = any (${[...types]}::int[])`);
  if (nonce !== undefined) parts.push(sql`t.nonce = ${nonce}::int8`);
  return all(sql, parts);
}

const stxMoves = [eventCodes.stx_transfer, eventCodes.stx_mint, eventCodes.stx_burn, feeCode, rewardCode];

/** The condition that the event `e` matches, apart from its block and the function. */
export function eventMatches(sql: Sql, filter: EventHistoryFilter): Fragment {
  const { kinds, sender, recipient, contract, asset, minAmount } = filter;
  const parts: Fragment[] = [sql`e.kind = any (${[...kinds]}::int[])`];
  if (sender) parts.push(sql`e.sender = ${idOf(sql, sender)} and e.sender <> 0`);
  if (recipient) parts.push(sql`e.recipient = ${idOf(sql, recipient)} and e.recipient <> 0`);
  if (contract) {
    parts.push(sql`
      e.asset <> 0 and case when ${isToken(sql)}
        then exists (select from assets m where m.id = e.asset and m.contract = ${idOf(sql, contract)})
        else e.asset = ${idOf(sql, contract)}
      end
    `);
  }
  if (asset === 'STX') parts.push(sql`e.kind in (${constant(sql, ...stxMoves)})`);
  else if (asset) {
    parts.push(sql`
      ${isToken(sql)} and e.asset = (
        select m.id from assets m where m.name = ${asset.name} and m.contract = ${idOf(sql, asset.contract)}
      )
    `);
  }
  if (minAmount !== undefined) {
    parts.push(sql`(e.kind <= ${constant(sql, eventCodes.ft_burn)} or e.kind >= ${constant(sql, feeCode)})
      and e.amount >= ${String(minAmount)}::numeric`);
  }
  return all(sql, parts);
}

const isToken = (sql: Sql) =>
  sql`e.kind between ${constant(sql, eventCodes.ft_transfer)} and ${constant(sql, eventCodes.nft_burn)}`;

/** The condition that a row at a height is in the range of a filter, and that its transaction `t` called the function. */
export const isInPlace = (sql: Sql, { range, functionName }: EventHistoryFilter, height: Fragment): Fragment =>
  all(sql, [
    ...inBlockRange(sql, range, height),
    ...(functionName === undefined ? [] : [callsFunction(sql, functionName)]),
  ]);
