import { knownRegistries } from '../../chain/sbtc/registry.ts';
import { arrayLiteral, constant, type Sql } from '../../db/client.ts';

/** Kinds of events, in the order of their numbers: the first three are those of the states of a withdrawal. */
export const sbtcEventTypes = [
  'withdrawal_request',
  'withdrawal_accept',
  'withdrawal_reject',
  'deposit',
  'key_rotation',
  'contract_update',
] as const;

/** What the registry printed at a position; what an event of its kind does not have is null. */
export type SbtcEventRow = {
  height: number;
  place: number;
  event_index: number;
  registry: number;
  /** The number of its kind, from 1. */
  type: number;
  tx_id: Buffer;
  principal: Buffer | null;
  request_id: number | null;
  amount: string | null;
  fee: string | null;
  output_tx_id: Buffer | null;
  vout: number | null;
  sweep_tx_id: Buffer | null;
  burn_height: number | null;
};

/** What the registries printed in some blocks, in the order of the chain. */
export async function listSbtcEvents(sql: Sql, heights: readonly number[]): Promise<SbtcEventRow[]> {
  return await sql<SbtcEventRow[]>`
    select x.height, x.place, x.event_index, x.registry, x.type, t.tx_id, p.name as principal, x.request_id, x.amount, x.fee,
      x.output_tx_id, x.vout, x.sweep_tx_id, x.burn_height
    from unnest(${arrayLiteral(knownRegistries)}::int2[]) as r (registry)
    cross join unnest(${arrayLiteral(heights)}::int[]) as h (height)
    -- One row for each block in which a registry has printed something: most have none.
    join sbtc_totals n on n.registry = r.registry and n.height = h.height
    cross join lateral (
      select s.height, s.place, s.event_index, s.registry, s.status::int as type, s.sender as principal, s.request_id, s.amount,
        coalesce(s.fee, s.max_fee) as fee, s.sweep_tx_id as output_tx_id, s.vout, s.sweep_tx_id, s.burn_height
      from sbtc_withdrawal_states s
      where s.registry = n.registry and s.height = n.height
      union all
      select d.height, d.place, d.event_index, d.registry, ${codeOf(sql, 'deposit')}, d.recipient, null, d.amount, null, d.tx_id, d.vout,
        d.sweep_tx_id, d.burn_height
      from sbtc_deposits d
      where d.registry = n.registry and d.height = n.height
      union all
      select k.height, k.place, k.event_index, k.registry, ${codeOf(sql, 'key_rotation')}, k.signer, null, null, null, null, null, null, null
      from sbtc_key_rotations k
      where k.registry = n.registry and k.height = n.height
      union all
      select c.height, c.place, c.event_index, c.registry, ${codeOf(sql, 'contract_update')}, c.contract, null, null, null, null, null, null,
        null
      from sbtc_contracts c
      where c.registry = n.registry and c.height = n.height
    ) x
    join transactions t on t.height = x.height and t.place = x.place
    left join principals p on p.id = x.principal and x.principal > 0
    order by x.height, x.place, x.event_index
  `;
}

const codeOf = (sql: Sql, type: Exclude<(typeof sbtcEventTypes)[number], `withdrawal_${string}`>) =>
  constant(sql, sbtcEventTypes.indexOf(type) + 1);
