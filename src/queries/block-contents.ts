import type { Sql } from '../db/client.ts';
import { firstHeight, listFirstPlaces } from './first-block.ts';
import { splitHashes } from './hashes.ts';
import { listMicroblocksAt, type PlacedMicroblock } from './microblocks.ts';

/** The transactions of a block and the microblocks before and after it. */
export type BlockContents = {
  /** Transaction ids, last first. */
  txIds: Uint8Array[];
  /** Microblocks the block confirms, in their order. */
  accepted: PlacedMicroblock[];
  /** Microblocks that follow the block. */
  streamed: PlacedMicroblock[];
};

/**
 * The same as the old list of blocks has always told it: microblocks run backwards, and those that the block before
 * confirmed stand for those that follow.
 */
export async function findListedContents(sql: Sql, heights: number[]): Promise<Map<number, BlockContents>> {
  const around = await findBlockContents(sql, [...new Set(heights.flatMap(height => [height - 1, height]))]);
  const acceptedAt = (height: number) => [...around.get(height)!.accepted].reverse();
  return new Map(
    heights.map(height => [
      height,
      { ...around.get(height)!, accepted: acceptedAt(height), streamed: acceptedAt(height - 1) },
    ]),
  );
}

/** The contents of the blocks at these heights. */
export async function findBlockContents(sql: Sql, heights: number[]): Promise<Map<number, BlockContents>> {
  const [ids, microblocks, first] = await Promise.all([
    sql<{ height: number; ids: Buffer }[]>`
      select t.height, string_agg(t.tx_id, ''::bytea order by t.place desc) as ids
      from transactions t
      where t.height = any (${heights}::int[])
      group by t.height
    `,
    listMicroblocksAt(sql, [...new Set(heights.flatMap(height => [height, height + 1]))]),
    heights.includes(firstHeight) ? listFirstPlaces(sql, 'desc') : [],
  ]);
  const idsAt = new Map(ids.map(row => [row.height, splitHashes(row.ids)]));
  if (first.length > 0) {
    const byPlace = idsAt.get(firstHeight)!.reverse();
    const shown = first.map(place => byPlace[place]!);
    idsAt.set(firstHeight, shown);
  }
  return new Map(
    heights.map(height => [
      height,
      {
        txIds: idsAt.get(height) ?? [],
        accepted: microblocks.filter(microblock => microblock.height === height),
        streamed: microblocks.filter(microblock => microblock.height === height + 1),
      },
    ]),
  );
}
