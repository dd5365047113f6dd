import { revisionAt } from '../../cache/revision.ts';
import { directRoles, role } from '../../chain/role.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { InterfaceStore } from '../contracts/interfaces-queries.ts';
import {
  type Transaction,
  type TransactionKey,
  type TransactionRow,
  transactionColumns,
  unanchoredJoins,
  withFunctions,
} from '../transactions/transactions-queries.ts';
import { type ListedMoves, type Move, moveList, readMoves } from './asset-moves-queries.ts';
import {
  type Account,
  type AccountPage,
  accountAt,
  type Counted,
  countUpTo,
  highestHeight,
  isWithin,
  lowestHeight,
  type Page,
  readNearThenSearch,
  type SearchRange,
} from './transaction-pages-queries.ts';

/** What a transaction was to the account: `src/chain/role.ts`, the STX it moved, and its fee apart from that. */
export type Involvement = { role: number; sent: string; received: string; fee: bigint };

export type PrincipalTransaction = TransactionKey & Omit<Involvement, 'fee'>;

type PrincipalTransactionOptions = {
  /**
   * Which transactions of block 0, shown in block 1, the list leaves out: `all` of them, those that moved nothing for the
   * account (`idle`), or `none`.
   */
  hidden: 'all' | 'idle' | 'none';
  /** Leaves out those that only moved tokens for the account. */
  direct?: boolean;
  /** Has the transactions of a block by the index of the node, which has microblocks last. */
  byIndex?: boolean;
};

/** Transactions that touched an account, the newest first. An empty page has total 0, as the incumbent has. */
export async function listPrincipalTransactions(
  sql: Sql,
  account: Account,
  page: Page,
  options: PrincipalTransactionOptions,
): Promise<AccountPage<PrincipalTransaction>> {
  const counter = options.direct ? 'direct_seq' : 'seq';
  const { limit, offset } = page;
  const direct = options.direct ? sql`and h.role & ${constant(sql, directRoles)}::int <> 0` : sql``;
  const read = (reach: SearchRange) => sql<Counted<PrincipalTransaction>>`
    with recursive account as (
      ${accountAt(sql, account)}
    ), hidden as (
      select h.place
      from account a
      join principal_transactions h on h.principal = a.id and h.height = 1
      join transaction_extras x on x.height = h.height and x.place = h.place and x.name = 'genesis'
      where a.first <= 1 and a.last >= 1 and ${hides(sql, options.hidden)} ${direct}
    ), span as (
      select
        c.newest,
        greatest(u.upper - ${limit}::int8, c.before) as lower,
        u.upper,
        greatest(${offset}::int8 - (c.newest - greatest(c.before, c.oldest)), 0) as rest,
        c.newest - c.before - (select count(*) from hidden) as total
      from (
        select
          ${account.height === undefined ? sql`0` : countUpTo(sql, counter, sql`a.first - 1`)} as before,
          ${countUpTo(sql, counter, sql`a.last`)} as newest,
          -- Only in block 1 are rows left out: what is newer is passed over by number, the rest one by one.
          case when exists (select from hidden) then ${countUpTo(sql, counter, sql`1`)} else 0 end as oldest
        from account a
        offset 0 -- counted once for all its uses
      ) c
      cross join lateral (
        select c.newest - least(${offset}::int8, c.newest - greatest(c.before, c.oldest)) as upper
      ) u
    ), ${highestHeight(sql, counter, page)}, ${lowestHeight(sql, counter, page, reach)}, page as (
      select h.principal, h.height, h.place, h.role, h.sent, h.received
      from account a
      cross join span s
      join principal_transactions h on h.principal = a.id
        and ${isWithin(sql)}
        and h.${sql(counter)} <= s.upper ${direct}
      where h.height <> 1 or h.place not in (select x.place from hidden x)
      order by h.height desc, h.place desc
      limit ${limit}
      offset (select s.rest from span s)
    )
    select p.height, p.place, ${revisionAt(sql, sql`p.height`)} as version, p.role, p.sent, p.received,
      s.total::int as total
    from span s
    left join page p on true
    ${options.byIndex ? sql`left join transactions t on t.height = p.height and t.place = p.place` : sql``}
    order by p.height desc, ${options.byIndex ? sql`t.tx_index desc,` : sql``} p.place desc
  `;
  return await readNearThenSearch(page, read);
}

/** A transaction as it touched an account, with what it moved for it; undefined when it did not. */
export async function findPrincipalTransaction(
  sql: Sql,
  principal: Uint8Array,
  txId: Uint8Array,
  interfaces: InterfaceStore | undefined,
): Promise<(Transaction & Involvement & { moves: Move[] }) | undefined> {
  const rows = await sql<(TransactionRow & Involvement & { listed: ListedMoves })[]>`
    select ${transactionColumns(sql)}, h.role, h.sent, h.received, ${moveList(sql, sql`h`)} as listed
    from principals p
    join transactions t on substring(t.tx_id from 1 for 7) = ${txId.subarray(0, 7)} and t.tx_id = ${txId}
    join principal_transactions h on h.principal = p.id and h.height = t.height and h.place = t.place
    ${unanchoredJoins(sql)}
    where p.name = ${principal}
  `;
  const [row] = rows;
  if (row === undefined) return undefined;
  await withFunctions(sql, rows, interfaces);
  return Object.assign(row, { moves: readMoves(row.listed) });
}

const moved = role.stx | role.ft | role.nft;

function hides(sql: Sql, hidden: PrincipalTransactionOptions['hidden']) {
  if (hidden === 'idle') return sql`h.role & ${moved}::int = 0`;
  return hidden === 'all' ? sql`true` : sql`false`;
}
