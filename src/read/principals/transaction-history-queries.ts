import { revision } from '../../cache/revision.ts';
import { otherStatus } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';
import { blockTime } from '../blocks/block-time-queries.ts';
import { extrasOf } from '../transactions/transactions-queries.ts';
import { paysFee } from './summaries-queries.ts';

/** A mined transaction in the history of a principal. */
export type HistoryRow = {
  height: number;
  place: number;
  time: number;
  tx_id: Buffer;
  type: number;
  status: number;
  extras: Record<string, string> | null;
  sender: Buffer;
  nonce: bigint;
  /** Micro-STX that the principal paid for the transaction; 0 where another one paid. */
  fee: bigint;
  /** Changes when blocks were removed from the chain. */
  revision: string;
};

/** A position in a history; the rows after it are read. */
export type HistoryPosition = { height: number; place: number };

/** Of a row of block 1; the constant height keeps a hashed subplan to that block. */
const isGenesis = (sql: Sql) => sql`
  exists (select from transaction_extras x where x.height = 1 and x.place = h.place and x.name = 'genesis')
`;

/** The part of a history that a page is of: block 0, whose transactions are stored in block 1, or all other blocks. */
type HistoryPart = 'genesis' | 'blocks';

/** Transactions of a principal up to a height, oldest first, after a position. */
export async function listTransactionHistory(
  sql: Sql,
  principal: Uint8Array,
  { part, after, upTo, limit }: { part: HistoryPart; after: HistoryPosition; upTo: number; limit: number },
): Promise<HistoryRow[]> {
  return await sql<HistoryRow[]>`
    select t.height, t.place, ${blockTime(sql)} as time, t.tx_id, t.type, t.status,
      s.name as sender, t.nonce, case when ${paysFee(sql, sql`h`)} then t.fee else 0 end as fee,
      ${revision(sql)} as revision,
      case when t.status = ${constant(sql, otherStatus)} then ${extrasOf(sql)} end as extras
    from (
      select h.height, h.place, h.role
      from principal_transactions h
      where h.principal = (select p.id from principals p where p.name = ${principal})
        and h.height >= ${after.height}::int and h.height <= ${upTo}::int
        and (h.height, h.place) > (${after.height}::int, ${after.place}::int)
        and ${part === 'genesis' ? sql`h.height = 1 and ${isGenesis(sql)}` : sql`(h.height <> 1 or not ${isGenesis(sql)})`}
      order by h.height, h.place
      limit ${constant(sql, limit)}
    ) h
    join transactions t on t.height = h.height and t.place = h.place
    join blocks b on b.height = t.height
    join principals s on s.id = t.sender
    order by t.height, t.place
  `;
}
