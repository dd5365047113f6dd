import type { Sql } from '../../db/client.ts';

/** The newest contracts and assets among whose names a part is looked for. */
export const NEWEST_NAMES = 10_000;

export type ContractEntry = { id: number; name: Buffer };
export type AssetEntry = { id: number; contract: Buffer; name: string };

/** What a list of names is of: rows of blocks up to a height were not replaced while the revision is the same. */
export type NamesState = { revision: string; height: number };

export async function findNamesState(sql: Sql): Promise<NamesState> {
  const [row] = await sql<NamesState[]>`select f.revision, f.height from fold_position f`;
  return row ?? { revision: '', height: -1 };
}

/** Contracts that blocks above a height deployed, the newest first. */
export async function listContractsAbove(sql: Sql, height: number): Promise<ContractEntry[]> {
  return await sql<ContractEntry[]>`
    select c.contract as id, n.name
    from (
      select c.contract, c.height, c.place
      from contracts c
      where c.height > ${height} and c.height <= (select f.height from fold_position f)
      order by c.height desc, c.place desc
      limit ${NEWEST_NAMES}
    ) c
    join principals n on n.id = c.contract
    order by c.height desc, c.place desc
  `;
}

/** Assets with a greater key, the newest first. */
export async function listAssetsAbove(sql: Sql, id: number): Promise<AssetEntry[]> {
  return await sql<AssetEntry[]>`
    select a.id, n.name as contract, a.name
    from (select a.id, a.contract, a.name from assets a where a.id > ${id} order by a.id desc limit ${NEWEST_NAMES}) a
    join principals n on n.id = a.contract
    order by a.id desc
  `;
}
