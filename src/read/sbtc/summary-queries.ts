import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { sbtcContract } from '../../chain/sbtc/registry.ts';
import type { Sql } from '../../db/client.ts';

/** Counts and sums of a registry at the tip. */
export type SbtcTotalsRow = {
  deposits: number;
  requests: number;
  accepted: number;
  rejected: number;
  deposited: string;
  requested: string;
  withdrawn: string;
  returned: string;
  fees: string;
};

/** Counts and sums of a registry; undefined before its first event. */
export async function findSbtcTotals(sql: Sql, registry: number): Promise<SbtcTotalsRow | undefined> {
  const [row] = await sql<SbtcTotalsRow[]>`
    select t.deposits, t.requests, t.accepted, t.rejected, t.deposited, t.requested, t.withdrawn, t.returned, t.fees
    from sbtc_totals t
    where t.registry = ${registry}::int2 and t.height <= (select f.height from fold_position f)
    order by t.height desc
    limit 1
  `;
  return row;
}

/** How much of an asset of the token contract there is. */
export async function listSbtcSupplies(sql: Sql, registry: number): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; supply: string }[]>`
    select a.name, t.supply
    from principals c
    join assets a on a.contract = c.id
    cross join lateral (
      select t.supply
      from asset_totals t
      where t.asset = a.id and t.height <= (select f.height from fold_position f)
      order by t.height desc
      limit 1
    ) t
    where c.name = ${principalToBytes(sbtcContract(registry, 'sbtc-token'))}
  `;
  return new Map(rows.map(({ name, supply }) => [name, supply]));
}

/** The contract that was last given a role, by role. */
export async function listSbtcContracts(sql: Sql, registry: number): Promise<Map<number, Buffer>> {
  const rows = await sql<{ role: number; name: Buffer }[]>`
    select r.role, p.name
    from generate_series(0, 2) as r (role)
    cross join lateral (
      select c.contract
      from sbtc_contracts c
      where c.registry = ${registry}::int2 and c.role = r.role and c.height <= (select f.height from fold_position f)
      order by c.height desc, c.place desc, c.event_index desc
      limit 1
    ) c
    join principals p on p.id = c.contract
  `;
  return new Map(rows.map(({ role, name }) => [role, name]));
}
