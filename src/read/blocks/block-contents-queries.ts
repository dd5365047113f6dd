import type { Sql } from '../../db/client.ts';
import { firstHeight, listFirstPlaces } from './first-block-queries.ts';
import { splitHexHashes } from './hashes-queries.ts';
import { type CountedMicroblock, microblocksAt } from './microblocks-queries.ts';

/** The transactions of a block and the microblocks before and after it; hashes as hex text. */
export type BlockContents = {
  /** Transaction ids, last first. */
  txIds: string[];
  /** Microblocks the block confirms, in their order. */
  accepted: CountedMicroblock[];
  /** Microblocks that follow the block. */
  streamed: CountedMicroblock[];
};

/** The ids of the transactions of block `b`, last first, as one hex text: a list of blocks has hundreds of them. */
export const txIdsColumn = (sql: Sql) => sql`coalesce((
  select encode(string_agg(t.tx_id, ''::bytea), 'hex')
  from (select t.tx_id from transactions t where t.height = b.height order by t.place desc) t
), '') as tx_ids`;

/** The contents of the block at a height. */
export async function findBlockContents(sql: Sql, height: number): Promise<BlockContents> {
  const [row] = await sql<{ tx_ids: string; accepted: CountedMicroblock[]; streamed: CountedMicroblock[] }[]>`
    select ${txIdsColumn(sql)},
      ${microblocksAt(sql, sql`b.height`)} as accepted,
      ${microblocksAt(sql, sql`b.height + 1`)} as streamed
    from (select ${height}::int as height) b
  `;
  const { tx_ids, accepted, streamed } = row!;
  const txIds = splitHexHashes(tx_ids);
  return { txIds: height === firstHeight ? await inFirstOrder(sql, txIds) : txIds, accepted, streamed };
}

/** The ids of block 1, given last first, as lists show them that also show so many of each block after it. */
export async function inFirstOrder(
  sql: Sql,
  txIds: readonly string[],
  following: readonly number[] = [],
): Promise<string[]> {
  const byPlace = txIds.toReversed();
  const places = await listFirstPlaces(sql, 'desc', following);
  return places.map(place => byPlace[place]!);
}
