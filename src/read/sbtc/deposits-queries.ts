import type { Sql } from '../../db/client.ts';
import { eventKey, eventPlacesOf } from '../events/events-queries.ts';
import { type EventPageRequest, type EventPositionRow, listEventPositions } from '../events/positions-queries.ts';
import { type BitcoinSideRow, bitcoinSideColumns, joinOutput } from './bitcoin-queries.ts';
import type { SweepRow } from './sweep-schema.ts';

/** A completed deposit; the recipient is null if no mint tells it. */
export type DepositRow = SweepRow &
  BitcoinSideRow & { deposit_tx_id: Buffer; vout: number; amount: string; recipient: Buffer | null };

/** Which deposits a list has. */
export type DepositFilter = {
  recipient?: Uint8Array | undefined;
  minAmount?: number | undefined;
  excludeStaking?: boolean | undefined;
  output?: { txId: Uint8Array; vout: number };
};

/** Deposits, the newest first. */
export async function listDeposits(sql: Sql, registry: number, filter: DepositFilter, page: EventPageRequest) {
  const where = conditionOf(sql, registry, filter);
  const isWhole = Object.values(filter).every(value => value === undefined || value === false);
  const total = isWhole
    ? sql`
        select t.deposits
        from sbtc_totals t
        where t.registry = ${registry}::int2 and t.height <= (select f.height from fold_position f)
        order by t.height desc
        limit 1
      `
    : sql`
        select count(*)
        from sbtc_deposits k
        where ${where} and k.height <= (select f.height from fold_position f)
      `;
  return await listEventPositions<DepositRow>(sql, { table: 'sbtc_deposits', where, total }, page, {
    columns: depositColumns(sql),
    joins: depositJoins(sql, registry),
    events: sql``,
  });
}

/** The deposits at some positions, by their keys. */
export async function findDeposits(
  sql: Sql,
  registry: number,
  at: readonly EventPositionRow[],
): Promise<Map<string, DepositRow>> {
  const rows = await sql<(DepositRow & { height: number; place: number; event_index: number })[]>`
    select p.height, p.place, p.event_index, ${depositColumns(sql)}
    from ${eventPlacesOf(sql, at)} as p (height, place, event_index, n)
    ${depositJoins(sql, registry)}
  `;
  return new Map(rows.map(row => [eventKey(row), row]));
}

const depositColumns = (sql: Sql) => sql`
  d.tx_id as deposit_tx_id, d.vout, d.amount, r.name as recipient, d.sweep_tx_id, d.burn_hash as sweep_burn_hash,
  d.burn_height as sweep_burn_height,
  n.hash as canonical_hash, (select max(l.height) from burn_blocks l) as burn_tip, ${bitcoinSideColumns(sql, sql`d`)}
`;

const depositJoins = (sql: Sql, registry: number) => sql`
  join sbtc_deposits d
    on d.registry = ${registry}::int2 and d.height = p.height and d.place = p.place and d.event_index = p.event_index
  left join principals r on r.id = d.recipient and d.recipient > 0
  left join burn_blocks n on n.height = d.burn_height
  ${joinOutput(sql, 'deposit', { txId: sql`d.tx_id`, vout: sql`d.vout` })}
`;

function conditionOf(sql: Sql, registry: number, { recipient, minAmount, excludeStaking, output }: DepositFilter) {
  return sql`
    k.registry = ${registry}::int2
    ${recipient === undefined ? sql`` : sql`and k.recipient = (select q.id from principals q where q.name = ${recipient})`}
    ${minAmount === undefined ? sql`` : sql`and k.amount >= ${String(minAmount)}::numeric`}
    ${excludeStaking ? sql`and not k.staking` : sql``}
    ${output === undefined ? sql`` : sql`and k.tx_id = ${output.txId} and k.vout = ${output.vout}::int8`}
  `;
}
