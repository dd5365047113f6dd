import { mempoolStatus } from '../../chain/mempool/mempool.ts';
import { payloadIds } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';

/** Percentiles 25, 50, 75 and 95 of what is pending, each the value of some transaction. */
export type MempoolSummaryRow = {
  /** Null for all types together. */
  type: 'token_transfer' | 'smart_contract' | 'contract_call' | null;
  count: number;
  fee: bigint[];
  size: number[];
  received_at: number[];
  received_height: number[];
};

/** What transfers, calls and deploys are pending: one pass; the response is cached until the mempool changes. */
export async function listMempoolSummary(sql: Sql): Promise<MempoolSummaryRow[]> {
  const at = sql`array[0.25, 0.5, 0.75, 0.95]`;
  return await sql<MempoolSummaryRow[]>`
    select m.type, count(*)::int as count,
      percentile_disc(${at}) within group (order by m.fee) as fee,
      percentile_disc(${at}) within group (order by m.size) as size,
      percentile_disc(${at}) within group (order by m.received_at) as received_at,
      percentile_disc(${at}) within group (order by m.received_height) as received_height
    from (
      select
        case m.type
          when ${constant(sql, payloadIds.token_transfer)} then 'token_transfer'
          when ${constant(sql, payloadIds.contract_call)} then 'contract_call'
          else 'smart_contract'
        end as type,
        m.fee, m.size, m.received_at, m.received_height
      from mempool m
      where m.status = ${constant(sql, mempoolStatus.pending)}
        and m.type in (${constant(sql, payloadIds.token_transfer)}, ${constant(sql, payloadIds.contract_call)},
          ${constant(sql, payloadIds.smart_contract)}, ${constant(sql, payloadIds.versioned_smart_contract)})
    ) m
    group by grouping sets ((m.type), ())
    having count(*) > 0
  `;
}
