import { constant, type Sql } from '../../db/client.ts';
import { firstHeight } from '../blocks/first-block-queries.ts';

/** A position in the chain, where a page of transactions starts; the transaction there may be gone. */
export type ChainCursor = { height: number; microblockSequence: number; txIndex: number };

/** Above the place of every transaction of a block. */
const top = 32_767;

/**
 * A subquery of one row, `height` and `place`: a newest-first list goes on from the transaction there, or from the first
 * one below. Without a cursor from the tip.
 */
export function startOfPage(sql: Sql, cursor: ChainCursor | undefined) {
  if (cursor === undefined) return sql`select f.height, ${constant(sql, top)}::int2 as place from fold_position f`;
  const height = sql`${cursor.height}::int`;
  if (cursor.height === 0)
    return sql`select ${firstHeight}::int as height, ${genesisPlace(sql, cursor)}::int2 as place`;
  return sql`
    select
      least(${height}, f.height) as height,
      case when ${height} > f.height then ${constant(sql, top)} else ${placeOf(sql, cursor)} end::int2 as place
    from fold_position f
  `;
}

/** The same for a step of a filtered list. */
export const startOfStep = (sql: Sql, cursor: ChainCursor | undefined) =>
  sql`select s.height, s.place::int as place, 0 as event_index from (${startOfPage(sql, cursor)}) s`;

/** The last position in the block that is not after the cursor; `H:0:0` means the whole block unless a transaction has it. */
export function placeOf(sql: Sql, { height, microblockSequence, txIndex }: ChainCursor) {
  if (microblockSequence === 0 && txIndex === 0) {
    return sql`coalesce((
      select t.place
      from transactions t
      where t.height = ${height} and t.place = 0 and t.microblock_sequence = 0 and t.tx_index = 0
    ), ${constant(sql, top)})`;
  }
  return sql`coalesce(
    (
      -- Nearly always the index of a transaction is its place, and nothing has to be searched for.
      select t.place
      from transactions t
      where t.height = ${height} and t.height > ${constant(sql, firstHeight)}
        and t.place = least(${txIndex}::int, ${constant(sql, top)})
        and t.tx_index = ${txIndex}::int and t.microblock_sequence = ${microblockSequence}::int
    ),
    (
      select t.place
      from transactions t
      where t.height = ${height}
        and (t.microblock_sequence, t.tx_index) <= (${microblockSequence}::int, ${txIndex}::int)
      order by t.place desc
      limit 1
    ),
    -1
  )`;
}

/** The place of a cursor among the transactions of block 0, which block 1 shows next to others with the same index. */
const genesisPlace = (sql: Sql, { microblockSequence, txIndex }: ChainCursor) => sql`coalesce((
  select t.place
  from transactions t
  join transaction_extras x on x.height = t.height and x.place = t.place and x.name = 'genesis'
  where t.height = ${constant(sql, firstHeight)}
    and (t.microblock_sequence, t.tx_index) <= (${microblockSequence}::int, ${txIndex}::int)
  order by t.place desc
  limit 1
), -1)`;
