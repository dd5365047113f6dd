import { revision } from '../../cache/revision.ts';
import { ftMoves, nftMoves } from '../../chain/event.ts';
import { nftKey } from '../../chain/tokens/nft-key.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { blockTime } from '../blocks/block-time-queries.ts';
import type { ListedEvent } from '../events/events-queries.ts';
import type { EventHistoryFilter } from '../filters/filter.ts';
import { eventMatches, isInPlace } from '../filters/filter-queries.ts';
import {
  blockOf,
  endStep,
  type HistoryStep,
  isBeyondStart,
  isNear,
  type StepSource,
  startAt,
  stepOf,
  transactionOf,
} from '../filters/steps-queries.ts';
import type { AssetName } from './nfts-queries.ts';
import { newest, type TokenTransferPosition, type TokenTransferRow } from './token-transfers-queries.ts';

type Fragment = Statement<unknown>;

/** Moves of a token that a request with a filter looks at. */
export const MOST_MOVES = 300;

/** The moves of a token, or of one NFT of a class. */
type MovedToken = { asset: AssetName } & ({ kind: 'ft' | 'nft' } | { value: Uint8Array });

type MoveStepRequest = { filter: EventHistoryFilter; start: Fragment; limit: number };

/** The start of a step at a position. */
export const startOfMoves = (sql: Sql, { height, place, event_index: eventIndex }: TokenTransferPosition = newest) =>
  startAt(sql, { height, place, eventIndex });

/** The rows `r` of the moves, by the index that has them. */
function sourceOf(sql: Sql, token: MovedToken, id: Fragment): StepSource {
  if ('value' in token) {
    return { table: sql`nft_history`, where: sql`r.asset = ${id} and r.value = ${nftKey(token.value)}` };
  }
  const kinds = constant(sql, ...(token.kind === 'ft' ? ftMoves : nftMoves));
  return { table: sql`events`, where: sql`r.asset = ${id} and r.kind in (${kinds})` };
}

/** Moves of a token that match a filter, the newest first. `columns` and `joins` add to the event `e`. */
async function listMoveStep<Row>(
  sql: Sql,
  token: MovedToken,
  { filter, start, limit }: MoveStepRequest,
  { columns, joins }: { columns: Fragment; joins: Fragment },
): Promise<HistoryStep<Row & { height: number; place: number; event_index: number }>> {
  type Found = Row & { height: number; place: number; event_index: number };
  const { contract, name } = token.asset;
  const step = stepOf(sql, {
    subject: sql`
      select a.id
      from principals c
      join assets a on a.contract = c.id and a.name = ${name}
      where c.name = ${contract}
    `,
    ...{ start, range: filter.range, direction: 'newest', most: MOST_MOVES },
    sources: [sourceOf(sql, token, sql`w.id`)],
  });
  const { table, where } = sourceOf(sql, token, sql`x.id`);
  const rows = await sql<({ edge: number | null } & (Found | { height: null }))[]>`
    with ${step},
    looked as materialized (
      select r.height, r.place, r.event_index
      from step x
      join ${table} r on ${where} and r.height between x.low and x.high
      where ${isNear(sql, filter.range, sql`r.height`)}
        and ${isBeyondStart(sql, 'newest', sql`r.height, r.place::int, r.event_index`)}
    ), page as (
      select e.*
      from looked h
      ${filter.functionName === undefined ? sql`` : transactionOf(sql, sql`h`)}
      ${blockOf(sql, filter.range, sql`h`)}
      cross join lateral (
        select e.height, e.place, e.event_index, e.kind, e.asset, e.sender, e.recipient, e.amount, e.value
        from events e
        where e.height = h.height and e.place = h.place and e.event_index = h.event_index
        offset 0 -- one by one: the planner would rather begin with all events of a side
      ) e
      where ${isInPlace(sql, filter, sql`h.height`)} and ${eventMatches(sql, filter)}
      order by e.height desc, e.place desc, e.event_index desc
      limit ${limit + 1}
    ), shown as (
      select e.height, e.place, e.event_index, ${columns}
      from page e
      ${joins}
    )
    select x.edge, s.*
    from step x
    left join shown s on true
    order by s.height desc, s.place desc, s.event_index desc
  `;
  return endStep<Found>(rows, limit, 'newest');
}

/** Transfers of a token that match a filter. */
export const listFilteredTransfersOfToken = (sql: Sql, token: MovedToken, request: MoveStepRequest) =>
  listMoveStep<TokenTransferRow>(sql, token, request, {
    columns: sql`e.kind, ss.name as sender, rr.name as recipient, e.amount, e.value, t.tx_id, ${blockTime(sql)} as time`,
    joins: sql`
      join blocks b on b.height = e.height
      join transactions t on t.height = e.height and t.place = e.place
      left join principals ss on ss.id = e.sender
      left join principals rr on rr.id = e.recipient
    `,
  });

/** The places of moves that match a filter. */
export const listFilteredMoves = (
  sql: Sql,
  token: MovedToken,
  request: MoveStepRequest,
): Promise<HistoryStep<ListedEvent>> =>
  listMoveStep<ListedEvent>(sql, token, request, { columns: sql`${revision(sql)} as version`, joins: sql`` });
