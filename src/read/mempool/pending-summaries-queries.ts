import { mempoolStatus } from '../../chain/mempool/mempool.ts';
import { constant, type Sql } from '../../db/client.ts';
import { type CountedPage, keyedPage, withTotal } from '../pages/keyed-page-queries.ts';
import type { MempoolRow } from './mempool-queries.ts';

const { pending } = mempoolStatus;

/** What is said of a pending transaction: its bytes and when it came. */
export type PendingRow = Pick<
  MempoolRow,
  'tx_id' | 'raw' | 'status' | 'reason' | 'replaced_by' | 'received_at' | 'received_height'
>;

/** Where a page starts: the transaction itself need not wait any more. */
export type PendingCursor = { receivedAt: number; txId: Uint8Array };

type PendingPage = { cursor: PendingCursor | undefined; limit: number };

type PendingSummaries = CountedPage<PendingRow>;

type Fragment = ReturnType<typeof pendingColumns>;

const pendingColumns = (sql: Sql) => sql`
  m.tx_id, m.raw, m.status, m.reason, m.replaced_by, m.received_at, m.received_height
`;

/** All that waits, the newest first, with its number; a page without rows says zero. */
export async function listPending(sql: Sql, page: PendingPage): Promise<PendingSummaries> {
  const waiting = sql`(select m.received_at, m.tx_id from mempool m where m.status = ${constant(sql, pending)})`;
  return await listPage(sql, page, waiting, sql`select s.pending from mempool_state s`, sql``);
}

/** What an account sends, pays for, receives, or what calls or deploys it; the same way. */
export async function listPendingOf(sql: Sql, principal: Uint8Array, page: PendingPage): Promise<PendingSummaries> {
  const own = sql`
    with account as (
      select p.id from principals p where p.name = ${principal}
    ), own as materialized (
      select m.received_at, m.tx_id
      from account a
      join mempool m on m.sender = a.id and m.status = ${constant(sql, pending)}
      union
      select m.received_at, m.tx_id
      from account a
      join mempool m on m.target = a.id and m.target <> 0 and m.status = ${constant(sql, pending)}
      union
      select m.received_at, m.tx_id
      from account a
      join mempool m on m.sponsor = a.id and m.sponsor <> 0 and m.status = ${constant(sql, pending)}
    )
  `;
  return await listPage(sql, page, sql`own`, sql`select count(*)::int from own`, own);
}

async function listPage(sql: Sql, page: PendingPage, waiting: Fragment, total: Fragment, defined: Fragment) {
  const { cursor, limit } = page;
  const key = cursor && sql`(${cursor.receivedAt}::int, ${cursor.txId}::bytea)`;
  const rows = await sql<(PendingRow & { before: boolean; total: number })[]>`
    ${defined}
    select ${pendingColumns(sql)}, k.before, (${total}) as total
    from (
      (
        select w.tx_id, false as before
        from ${waiting} w
        ${key ? sql`where (w.received_at, w.tx_id) <= ${key}` : sql``}
        order by w.received_at desc, w.tx_id desc
        limit ${limit + 1}
      )
      ${key ? keyBefore(sql, limit, waiting, key) : sql``}
    ) k
    join mempool m on m.tx_id = k.tx_id
    order by m.received_at desc, m.tx_id desc
  `;
  return withTotal(keyedPage(rows, limit));
}

/** The row at which the page before a cursor begins. */
const keyBefore = (sql: Sql, limit: number, waiting: Fragment, key: Fragment) => sql`
  union all
  (
    select w.tx_id, true
    from (
      select w.received_at, w.tx_id
      from ${waiting} w
      where (w.received_at, w.tx_id) > ${key}
      order by w.received_at, w.tx_id
      limit ${limit}
    ) w
    order by w.received_at desc, w.tx_id desc
    limit 1
  )
`;

/** The pending transaction of an id. */
export async function findPending(sql: Sql, id: Uint8Array): Promise<PendingRow | undefined> {
  const [row] = await sql<PendingRow[]>`
    select ${pendingColumns(sql)}
    from mempool m
    where m.tx_id = ${id} and m.status = ${constant(sql, pending)}
  `;
  return row;
}
