import type { Sql } from '../../db/client.ts';
import type { Position } from '../transactions/positions-queries.ts';
import { type Account, accountAt, countUpTo } from './transaction-pages-queries.ts';

/** Where a page of an account's history starts: stays the same transaction while newer ones arrive. */
export type Cursor = { indexHash: Uint8Array; microblockSequence: number; txIndex: number };

/**
 * How many of the account's transactions are newer than the cursor's: the offset of its page. Undefined when the block
 * is not part of the chain, with `orphaned` when it was.
 */
export async function findCursorOffset(
  sql: Sql,
  account: Account,
  { indexHash, microblockSequence, txIndex }: Cursor,
): Promise<{ offset: number } | { orphaned: boolean }> {
  const [row] = await sql<{ offset: number | null; known: boolean }[]>`
    with account as (
      ${accountAt(sql, account)}
    )
    select
      (
        select ${countUpTo(sql, 'seq', sql`a.last`)} - coalesce(
          (
            select max(h.seq)
            from principal_transactions h
            where h.principal = a.id and h.height = t.height and h.place <= t.place
          ),
          ${countUpTo(sql, 'seq', sql`t.height - 1`)}
        )
        from account a
        join blocks b on b.index_hash = ${indexHash}
        join transactions t on t.height = b.height and t.tx_index = ${txIndex}::int
          and t.microblock_sequence = ${microblockSequence}::int
        -- In block 1 what block 0 did has indexes of its own block too: rather a row twice than one left out.
        order by t.place desc
        limit 1
      ) as "offset",
      exists (select from block_tree t where t.index_hash = ${indexHash}) as known
  `;
  if (row?.offset !== null && row?.offset !== undefined) return { offset: row.offset };
  return { orphaned: row?.known ?? false };
}

/** The cursor of a transaction of the chain. */
export async function findCursor(sql: Sql, position: Position): Promise<Cursor | undefined> {
  const [row] = await sql<{ index_hash: Buffer; microblock_sequence: number; tx_index: number }[]>`
    select b.index_hash, t.microblock_sequence, t.tx_index
    from transactions t
    join blocks b on b.height = t.height
    where t.height = ${position.height} and t.place = ${position.place}
  `;
  return row && { indexHash: row.index_hash, microblockSequence: row.microblock_sequence, txIndex: row.tx_index };
}
