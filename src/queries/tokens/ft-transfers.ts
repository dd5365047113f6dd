import type { Sql } from '../../db/client.ts';
import { blockTime } from '../blocks/block-time.ts';
import type { AssetName } from './nfts.ts';

/** A transfer, mint or burn of a fungible token; a side that the event does not have is null. */
export type FtTransferRow = {
  height: number;
  place: number;
  event_index: number;
  kind: number;
  sender: Buffer | null;
  recipient: Buffer | null;
  amount: string;
  tx_id: Buffer;
  time: number;
};

/** Where a page begins: the position of its first event. */
export type FtTransferPosition = Pick<FtTransferRow, 'height' | 'place' | 'event_index'>;

const newest: FtTransferPosition = { height: 2_147_483_647, place: 32_767, event_index: 2_147_483_647 };

/** Confirmed transfers of a token from a position on, newest first; one row more than `limit` if there is a next page. */
export async function listFtTransfers(
  sql: Sql,
  { contract, name }: AssetName,
  { height, place, event_index }: FtTransferPosition = newest,
  limit: number,
): Promise<FtTransferRow[]> {
  return await sql<FtTransferRow[]>`
    with page as materialized (
      select e.height, e.place, e.event_index, e.kind, e.sender, e.recipient, e.amount
      from events e
      where e.kind in (5, 6, 7)
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
    select e.height, e.place, e.event_index, e.kind, ss.name as sender, rr.name as recipient, e.amount, t.tx_id,
      ${blockTime(sql)} as time
    from page e
    join blocks b on b.height = e.height
    join transactions t on t.height = e.height and t.place = e.place
    left join principals ss on ss.id = e.sender
    left join principals rr on rr.id = e.recipient
    order by e.height desc, e.place desc, e.event_index desc
  `;
}
