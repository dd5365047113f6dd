import { decodeAccepted } from '@cairn-stacks/codec/transaction/transaction';
import { namedState } from '../../cache/tip-queries.ts';
import { mempoolStatus } from '../../chain/mempool/mempool.ts';
import { role, signingRoles } from '../../chain/role.ts';
import { constant, type Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';

/** The last nonce that a principal has used as of a block; null when it used none. */
type ExecutedNonce = { height: number; nonce: number | null };

type NonceRow = { height: number; nonce: bigint | null; sponsored: Buffer | null };

/**
 * Nonces only grow, so the newest transaction that the account signed has the last one, as origin or as sponsor.
 * Operations of the burn chain carry none. Undefined when no block has that height or hash.
 */
export async function findExecutedNonce(
  sql: Sql,
  principal: Uint8Array,
  asOf: AsOf,
): Promise<ExecutedNonce | undefined> {
  const [row] = await sql<NonceRow[]>`
    select e.*, ${namedState(sql)} from (${executedNonce(sql, principal, asOf)}) e
  `;
  return row && { height: row.height, nonce: readNonce(row) };
}

/** Nonces of the account's pending transactions, as origin or as sponsor, ascending; orphaned coinbases count, as listed. */
export async function listPendingNonces(sql: Sql, principal: Uint8Array): Promise<number[]> {
  const rows = await sql<{ nonce: bigint }[]>`${pendingNonces(sql, principal)}`;
  return rows.map(row => Number(row.nonce));
}

/** Last executed and pending nonces at the tip, those of microblocks included, confirmed or not. */
export async function findNonces(
  sql: Sql,
  principal: Uint8Array,
): Promise<{ executed: number | null; pending: number[] }> {
  const [row] = await sql<(Omit<NonceRow, 'height'> & { pending: bigint[] })[]>`
    select e.nonce, e.sponsored, array(${pendingNonces(sql, principal)}) as pending, ${namedState(sql)}
    from (select) always
    left join (${executedNonce(sql, principal, 'unanchored')}) e on true
  `;
  return { executed: readNonce(row!), pending: row!.pending.map(Number) };
}

const executedNonce = (sql: Sql, principal: Uint8Array, asOf: AsOf) => sql`
  select m.height, n.nonce, n.sponsored
  from (${asOfBlock(sql, asOf)}) m
  left join principals p on p.name = ${principal}
  left join lateral (
    select t.nonce, case when h.role & ${constant(sql, role.sender)} = 0 then t.raw end as sponsored
    from principal_transactions h
    join transactions t on t.height = h.height and t.place = h.place
    where h.principal = p.id and h.role & ${constant(sql, signingRoles)} <> 0 and h.height <= m.height and length(t.raw) > 1
    -- Transactions of block 0 are in block 1 after the others, with smaller nonces.
    order by h.height desc, case when h.height = 1 then t.nonce else h.place end desc
    limit 1
  ) n on true
`;

const pendingNonces = (sql: Sql, principal: Uint8Array) => sql`
  with account as (
    select p.id from principals p where p.name = ${principal}
  )
  select m.nonce
  from account a
  join mempool m on m.sender = a.id and m.status = ${constant(sql, mempoolStatus.pending)}
  union
  select m.sponsor_nonce
  from account a
  join mempool m on m.sponsor = a.id and m.sponsor <> 0 and m.status = ${constant(sql, mempoolStatus.pending)}
  order by 1
`;

/** The nonce of the account itself: a sponsor has one of its own, which only the bytes have. */
function readNonce({ nonce, sponsored }: Omit<NonceRow, 'height'>): number | null {
  const used = (sponsored === null ? undefined : decodeAccepted(sponsored).auth.sponsor?.nonce) ?? nonce;
  return used === null ? null : Number(used);
}
