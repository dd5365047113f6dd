import { ftMoves, nftMoves } from '../../chain/event.ts';
import { constant, type Sql } from '../../db/client.ts';
import { blockTime } from '../blocks/block-time-queries.ts';
import type { AssetName } from './nfts-queries.ts';

/** A transfer, mint or burn of a token; a side that the event does not have is null. */
export type TokenTransferRow = {
  height: number;
  place: number;
  event_index: number;
  kind: number;
  sender: Buffer | null;
  recipient: Buffer | null;
  /** Of a fungible token. */
  amount: string;
  /** Which NFT: a serialized Clarity value. */
  value: Buffer;
  tx_id: Buffer;
  time: number;
};

/** Where a page begins: the position of its first event. */
export type TokenTransferPosition = Pick<TokenTransferRow, 'height' | 'place' | 'event_index'>;

/** Before all transfers. */
export const newest: TokenTransferPosition = { height: 2_147_483_647, place: 32_767, event_index: 2_147_483_647 };

type TokenKind = 'ft' | 'nft';

/** The kinds of events of each, as the condition of the partial index that has them. */
const isMove = (sql: Sql, kind: TokenKind) =>
  sql`e.kind in (${constant(sql, ...(kind === 'ft' ? ftMoves : nftMoves))})`;

/** Confirmed transfers of a token from a position on, newest first; one row more than `limit` if there is a next page. */
export async function listTokenTransfers(
  sql: Sql,
  kind: TokenKind,
  { contract, name }: AssetName,
  { height, place, event_index }: TokenTransferPosition = newest,
  limit: number,
): Promise<TokenTransferRow[]> {
  return await sql<TokenTransferRow[]>`
    with page as materialized (
      select e.height, e.place, e.event_index, e.kind, e.sender, e.recipient, e.amount, e.value
      from events e
      where ${isMove(sql, kind)}
        and e.asset = (
          select a.id
          from principals c
          join assets a on a.contract = c.id and a.name = ${name}
          where c.name = ${contract}
        )
        and e.height <= (select f.height from fold_position f)
        and (e.height, e.place, e.event_index) <= (${height}::int, ${place}::smallint, ${event_index}::int)
      order by e.height desc, e.place desc, e.event_index desc
      limit ${limit + 1}
    )
    select e.height, e.place, e.event_index, e.kind, ss.name as sender, rr.name as recipient, e.amount, e.value,
      t.tx_id, ${blockTime(sql)} as time
    from page e
    join blocks b on b.height = e.height
    join transactions t on t.height = e.height and t.place = e.place
    left join principals ss on ss.id = e.sender
    left join principals rr on rr.id = e.recipient
    order by e.height desc, e.place desc, e.event_index desc
  `;
}
