import { nftKey } from '../../chain/tokens/nft-key.ts';
import type { Sql } from '../../db/client.ts';
import { type EventPageRequest, listEventPositions } from '../events/positions-queries.ts';
import type { AssetName } from './nfts-queries.ts';

/** A move of one NFT; null where it has no such side. */
export type NftMoveRow = { sender: Buffer | null; recipient: Buffer | null };

/** Every move of one NFT, the newest first. */
export async function listNftMoves(sql: Sql, asset: AssetName, value: Uint8Array, page: EventPageRequest) {
  const where = sql`
    k.asset = (
      select a.id
      from principals c
      join assets a on a.contract = c.id and a.name = ${asset.name}
      where c.name = ${asset.contract}
    ) and k.value = ${nftKey(value)}
  `;
  const total = sql`
    select k.seq
    from nft_history k
    where ${where} and k.height <= (select f.height from fold_position f)
    order by k.height desc, k.place desc, k.event_index desc
    limit 1
  `;
  return await listEventPositions<NftMoveRow>(sql, { table: 'nft_history', where, total }, page, {
    columns: sql`ss.name as sender, rr.name as recipient`,
    joins: sql`
      left join principals ss on ss.id = e.sender
      left join principals rr on rr.id = e.recipient
    `,
  });
}
