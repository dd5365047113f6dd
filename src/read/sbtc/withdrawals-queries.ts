import type { BitcoinRecipient } from '../../chain/sbtc/registry-print.ts';
import { type WithdrawalStatus, withdrawalStatuses } from '../../chain/sbtc/withdrawal-status.ts';
import { constant, type Sql } from '../../db/client.ts';
import { eventKey, eventPlacesOf } from '../events/events-queries.ts';
import { type EventPageRequest, type EventPositionRow, listEventPositions } from '../events/positions-queries.ts';
import { type BitcoinSideRow, bitcoinSideColumns, joinOutput } from './bitcoin-queries.ts';
import { equalVersions } from './bitcoin-recipient.ts';
import { countedTotal, storedTotal, withBoundedTotal } from './list-total.ts';
import type { SweepRow } from './sweep-schema.ts';

/** A withdrawal; its outcome and its sweep are null while it is pending, the sweep also once it is rejected. */
export type WithdrawalRow = {
  request_id: number;
  status: number;
  sender: Buffer;
  amount: string;
  max_fee: string;
  version: number;
  hash: Buffer;
  request_burn_height: number;
  fee: string | null;
  vout: number | null;
  outcome_tx_id: Buffer | null;
  outcome_height: number;
  outcome_tx_index: number;
  outcome_block_hash: Buffer;
  outcome_index_hash: Buffer;
  outcome_time: number;
  outcome_burn_time: number;
} & BitcoinSideRow & { [Column in keyof SweepRow]: SweepRow[Column] | null };

/** Which withdrawals a list has. */
export type WithdrawalFilter = {
  status?: WithdrawalStatus | undefined;
  sender?: Uint8Array | undefined;
  recipient?: BitcoinRecipient | undefined;
  request?: number;
};

/** Withdrawals, the newest request first; the total is null where filters leave very many. */
export async function listWithdrawals(sql: Sql, registry: number, filter: WithdrawalFilter, page: EventPageRequest) {
  const where = conditionOf(sql, registry, filter);
  const { status, ...others } = filter;
  const isWhole = Object.values(others).every(value => value === undefined);
  const total = isWhole
    ? storedTotal(sql, registry, countOf(sql, status))
    : countedTotal(sql, 'sbtc_withdrawals', where);
  const found = await listEventPositions<WithdrawalRow>(sql, { table: 'sbtc_withdrawals', where, total }, page, {
    columns: withdrawalColumns(sql),
    joins: withdrawalJoins(sql, registry),
    events: sql``,
  });
  return isWhole ? found : withBoundedTotal(found);
}

/** How many withdrawals there are, in a state or in all. */
function countOf(sql: Sql, status: WithdrawalStatus | undefined) {
  switch (status) {
    case undefined:
      return sql`t.requests`;
    case 'pending':
      return sql`t.requests - t.accepted - t.rejected`;
    case 'accepted':
      return sql`t.accepted`;
    case 'rejected':
      return sql`t.rejected`;
  }
}

/** The withdrawals that were requested at some positions, by their keys. */
export async function findWithdrawals(
  sql: Sql,
  registry: number,
  at: readonly EventPositionRow[],
): Promise<Map<string, WithdrawalRow>> {
  const rows = await sql<(WithdrawalRow & { height: number; place: number; event_index: number })[]>`
    select p.height, p.place, p.event_index, ${withdrawalColumns(sql)}
    from ${eventPlacesOf(sql, at)} as p (height, place, event_index, n)
    ${withdrawalJoins(sql, registry)}
  `;
  return new Map(rows.map(row => [eventKey(row), row]));
}

const withdrawalColumns = (sql: Sql) => sql`
  w.request_id, w.status, a.name as sender, s.amount, s.max_fee, s.version, s.hash, s.request_burn_height, o.fee, o.vout,
  o.sweep_tx_id, o.burn_hash as sweep_burn_hash, o.burn_height as sweep_burn_height, n.hash as canonical_hash,
  (select max(l.height) from burn_blocks l) as burn_tip, ot.tx_id as outcome_tx_id, o.height as outcome_height,
  ot.tx_index as outcome_tx_index, ob.hash as outcome_block_hash, ob.index_hash as outcome_index_hash,
  ob.time as outcome_time, ob.burn_time as outcome_burn_time, ${bitcoinSideColumns(sql, sql`o`)}
`;

const withdrawalJoins = (sql: Sql, registry: number) => sql`
  cross join lateral (
    select f.registry, f.request_id, f.status, f.height, f.place, f.event_index
    from sbtc_withdrawals f
    where f.registry = ${registry}::int2 and f.height = p.height and f.place = p.place and f.event_index = p.event_index
    limit 1
  ) w
  join sbtc_withdrawal_states s
    on s.registry = w.registry and s.request_id = w.request_id and s.height = w.height and s.place = w.place
      and s.event_index = w.event_index
  join principals a on a.id = s.sender
  left join lateral (
    select q.height, q.place, q.fee, q.vout, q.sweep_tx_id, q.burn_hash, q.burn_height
    from sbtc_withdrawal_states q
    where q.registry = w.registry and q.request_id = w.request_id
      and w.status <> ${constant(sql, withdrawalStatuses.pending)}
    order by q.height desc, q.place desc, q.event_index desc
    limit 1
  ) o on true
  left join transactions ot on ot.height = o.height and ot.place = o.place
  left join blocks ob on ob.height = o.height
  left join burn_blocks n on n.height = o.burn_height
  ${joinOutput(sql, 'payment', { txId: sql`o.sweep_tx_id`, vout: sql`o.vout` })}
`;

function conditionOf(sql: Sql, registry: number, { status, sender, recipient, request }: WithdrawalFilter) {
  return sql`
    k.registry = ${registry}::int2
    ${status === undefined ? sql`` : sql`and k.status = ${withdrawalStatuses[status]}::int2`}
    ${sender === undefined ? sql`` : sql`and k.sender = (select q.id from principals q where q.name = ${sender})`}
    ${recipient === undefined ? sql`` : sql`and k.hash = ${recipient.hash} and k.version = any (${[...equalVersions(recipient.version)]}::int2[])`}
    ${request === undefined ? sql`` : sql`and k.request_id = ${request}`}
  `;
}
