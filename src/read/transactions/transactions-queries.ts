import { type BurnOperation, otherStatus, payloadIds } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';
import {
  type ContractFunctions,
  findInterfaces,
  type InterfaceStore,
  interfaceVersion,
} from '../contracts/interfaces-queries.ts';

/** A mined transaction with what its block says about it. */
export type TransactionRow = {
  height: number;
  place: number;
  tx_index: number;
  tx_id: Buffer;
  type: number;
  status: number;
  nonce: bigint;
  fee: bigint;
  /** Key of the contract that is called, of the recipient, of the contract that is deployed. */
  target: number;
  event_count: number;
  microblock: Buffer;
  microblock_sequence: number;
  /** Packed, `src/chain/execution-cost.ts`. */
  cost: Uint8Array;
  result: Buffer;
  raw: Buffer;
  vm_error: string;
  /** What the bytes do not say: `burn_operation`, `status`, `genesis`. */
  extras: Record<string, string> | null;
  /** The contract that a burn operation calls. */
  burn_target: Buffer | null;
  /** Empty while no block has confirmed the microblock. */
  block_hash: Buffer;
  parent_hash: Buffer;
  block_time: number;
  burn_height: number;
  burn_time: number;
  parent_burn_time: number;
  canonical: boolean;
  microblock_canonical: boolean;
  /** Changes when the called contract was deployed again after a fork; null if it is not known. */
  interface_version: string | null;
};

/** A transaction of a list: its position, and the revision at which it was read. */
export type TransactionKey = {
  height: number;
  place: number;
  /** `revision`, or null while no block has confirmed it. */
  version: string | null;
};

/** A row with further facts. */
export type Transaction = TransactionRow & {
  /** The functions of the contract it calls. */
  functions?: ContractFunctions;
  /** The burn operation of a transaction that is in no table. */
  burnOperation?: BurnOperation;
};

/** What `renderTransaction` needs of a transaction `t` in its block `b`. */
export const transactionColumns = (sql: Sql) => sql`
  t.height, t.place, t.tx_index, t.tx_id, t.type, t.status, t.nonce, t.fee, t.target, t.event_count, t.microblock,
  t.microblock_sequence, t.cost, t.result, t.raw,
  t.vm_error, b.hash as block_hash, b.parent_hash, b.time as block_time, b.burn_height, b.burn_time,
  b.parent_burn_time, true as canonical, true as microblock_canonical, ${interfaceVersion(sql, sql`tc`)} as interface_version,
  ${unusualColumns(sql)}
`;

/** What only few transactions `t` have: that which the bytes do not say, and the contract a burn operation calls. */
export const unusualColumns = (sql: Sql) => sql`
  case when t.height = 1 or t.status = ${constant(sql, otherStatus)} or length(t.raw) = 1 then ${extrasOf(sql)} end as extras,
  case when length(t.raw) = 1 then (select p.name from principals p where p.id = t.target) end as burn_target
`;

/** The extra facts of transaction `t`, by name. */
export const extrasOf = (sql: Sql) => sql`(
  select json_object_agg(x.name, x.body)
  from transaction_extras x
  where x.height = t.height and x.place = t.place
)`;

/** Gives a transaction `t` its block `b` and the contract `tc` that it calls; leaves out what no block has confirmed. */
export const transactionJoins = (sql: Sql) => sql`
  join blocks b on b.height = t.height
  left join contracts tc on tc.contract = t.target and t.type = ${constant(sql, payloadIds.contract_call)}
`;

/** Joins as `transactionJoins`, and keeps transactions of the stream on the tip, whose block is the one they follow. */
export const unanchoredJoins = (sql: Sql) => sql`
  join lateral (
    select b.hash, b.parent_hash, b.time, b.burn_height, b.burn_time, b.parent_burn_time
    from blocks b
    where b.height = t.height
    union all
    select ''::bytea, p.hash, coalesce(s.burn_time, p.burn_time), -1, -1, coalesce(s.burn_time, p.burn_time)
    from fold_position f
    join blocks p on p.height = f.height
    left join microblock_streams s on s.hash = t.microblock
    where f.height + 1 = t.height
  ) b on true
  left join contracts tc on tc.contract = t.target and t.type = ${constant(sql, payloadIds.contract_call)}
`;

/**
 * Adds the interfaces of the called functions: from memory, or by one query for the whole page. Without a store, the
 * caller shows nothing of them and none is read.
 */
export async function withFunctions(
  sql: Sql,
  rows: TransactionRow[],
  store: InterfaceStore | undefined,
): Promise<Transaction[]> {
  if (!store) return rows;
  const calls = rows.flatMap(row =>
    row.interface_version === null ? [] : [{ contract: row.target, version: row.interface_version }],
  );
  const interfaces = await findInterfaces(sql, calls, store);
  for (const row of rows as Transaction[]) {
    const functions = row.interface_version === null ? undefined : interfaces.get(row.target);
    if (functions) row.functions = functions;
  }
  return rows;
}

/** All transactions of a block in order. */
export async function listTransactionsOf(sql: Sql, height: number): Promise<TransactionRow[]> {
  return await sql<TransactionRow[]>`
    select ${transactionColumns(sql)}
    from transactions t
    ${transactionJoins(sql)}
    where t.height = ${height}
    order by t.place
  `;
}
