import { tokenClasses } from '../../chain/tokens/token-notification.ts';
import { constant, type Sql } from '../../db/client.ts';

/** A collection of a canonical contract; `asset` is null where the contract defines no token of its own. */
export type CollectionRow = {
  id: number;
  principal: string;
  asset: string | null;
  items: string;
  minted: number;
  holders: number;
};

/**
 * Those found last first, from an id down; one row more than `limit` if there is a next page. Most token contracts are
 * collections: in the order of ids few others are passed.
 */
export async function listCollections(sql: Sql, from: number, limit: number): Promise<CollectionRow[]> {
  return await sql<CollectionRow[]>`
    select c.id, c.principal, c.asset, coalesce(s.supply, 0) as items, coalesce(s.mints, 0) as minted,
      coalesce(s.holders, 0) as holders
    from fold_position f
    join token_contracts c on c.class = ${constant(sql, tokenClasses.nft)} and c.id <= ${from}
    join principals p on p.name = c.name
    join contracts k on k.contract = p.id and k.height <= f.height
    left join assets a on a.contract = p.id and a.name = c.asset
    left join lateral (
      select t.supply, t.mints, t.holders
      from asset_totals t
      where t.asset = a.id and t.height <= f.height
      order by t.height desc
      limit 1
    ) s on true
    order by c.id desc
    limit ${limit + 1}
  `;
}
