import { constant, type Sql } from '../../db/client.ts';
import { eventKey, eventPlacesOf } from '../events/events-queries.ts';
import { type EventPageRequest, type EventPositionRow, listEventPositions } from '../events/positions-queries.ts';
import { mostCounted } from '../pages/cursor-list-schema.ts';
import { type BitcoinSideRow, bitcoinSideColumns, joinOutput } from './bitcoin-queries.ts';
import { countedTotal, storedTotal, withBoundedTotal } from './list-total.ts';
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

/** Deposits, the newest first; the total of a filtered list is null where it would cost. */
export async function listDeposits(sql: Sql, registry: number, filter: DepositFilter, page: EventPageRequest) {
  const where = conditionOf(sql, registry, filter);
  const isWhole = Object.values(filter).every(value => value === undefined || value === false);
  const { minAmount } = filter;
  const isLarge = minAmount !== undefined;
  const few = isLarge && (await areFew(sql, registry, minAmount));
  // The few large ones are read by their amounts, else all are read from the newest on.
  const table = few ? largeDeposits(sql, registry, minAmount) : 'sbtc_deposits';
  const total = isWhole
    ? storedTotal(sql, registry, sql`t.deposits`)
    : few || !isLarge
      ? countedTotal(sql, table, where)
      : sql`select ${constant(sql, mostCounted + 1)}`;
  const found = await listEventPositions<DepositRow>(sql, { table, where, total }, page, {
    columns: depositColumns(sql),
    joins: depositJoins(sql, registry),
    events: sql``,
  });
  return isWhole ? found : withBoundedTotal(found);
}

/** The deposits of at least an amount, as far as they are counted. */
const largeDeposits = (sql: Sql, registry: number, minAmount: number) => sql`
  (
    select d.height, d.place, d.event_index, d.registry, d.recipient, d.staking, d.amount, d.tx_id, d.vout
    from sbtc_deposits d
    where d.registry = ${registry}::int2 and d.amount >= ${String(minAmount)}::numeric
    order by d.amount
    limit ${mostCounted + 1}
  )
`;

async function areFew(sql: Sql, registry: number, minAmount: number): Promise<boolean> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from ${largeDeposits(sql, registry, minAmount)} l
  `;
  return row!.count <= mostCounted;
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
  cross join lateral (
    select f.tx_id, f.vout, f.amount, f.recipient, f.sweep_tx_id, f.burn_hash, f.burn_height
    from sbtc_deposits f
    where f.registry = ${registry}::int2 and f.height = p.height and f.place = p.place and f.event_index = p.event_index
    limit 1
  ) d
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
