import type { Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';

export type NamespaceRow = {
  namespace: string;
  version: 1 | 2;
  height: number;
  tx_id: Buffer | null;
  change: number;
  importer: Buffer | null;
  manager: Buffer | null;
  manager_transfers: boolean;
  manager_frozen: boolean;
  price_updatable: boolean;
  revealed_at: number;
  launched_at: number;
  lifetime: number;
  base: string;
  coefficient: string;
  nonalpha_discount: string;
  no_vowel_discount: string;
  buckets: bigint[];
};

/** Every namespace by its name, ascending; there are few hundred. */
export async function listNamespaces(sql: Sql): Promise<string[]> {
  const rows = await sql<{ namespace: string }[]>`
    select distinct s.namespace
    from namespace_history s
    cross join fold_position p
    where s.height <= p.height
    order by s.namespace
  `;
  return rows.map(({ namespace }) => namespace);
}

/** A namespace as of a block, in the newest version that has it, or in the requested one. */
export async function findNamespace(
  sql: Sql,
  namespace: string,
  asOf: AsOf,
  version?: 1 | 2,
): Promise<NamespaceRow | undefined> {
  const [row] = await sql<NamespaceRow[]>`
    select s.namespace, s.version, s.height, t.tx_id, s.change, i.name as importer, g.name as manager,
      s.manager_transfers, s.manager_frozen, s.price_updatable, s.revealed_at, s.launched_at, s.lifetime,
      coalesce(f.base, s.base) as base, coalesce(f.coefficient, s.coefficient) as coefficient,
      coalesce(f.nonalpha_discount, s.nonalpha_discount) as nonalpha_discount,
      coalesce(f.no_vowel_discount, s.no_vowel_discount) as no_vowel_discount, coalesce(f.buckets, s.buckets) as buckets
    from (${asOfBlock(sql, asOf)}) m
    cross join lateral (
      select s.*
      from namespace_history s
      where s.namespace = ${namespace} and s.height <= m.height
        ${version === undefined ? sql`` : sql`and s.version = ${version}`}
      order by s.version desc, s.height desc, s.place desc, s.event_index desc
      limit 1
    ) s
    left join lateral (
      select f.base, f.coefficient, f.nonalpha_discount, f.no_vowel_discount, f.buckets
      from namespace_prices f
      where s.version = 1 and f.namespace = s.namespace and f.height <= m.height
        and (f.height, f.place, f.event_index) > (s.height, s.place, s.event_index)
      order by f.height desc, f.place desc, f.event_index desc
      limit 1
    ) f on true
    left join transactions t on t.height = s.height and t.place = s.place
    left join principals i on i.id = s.importer
    left join principals g on g.id = s.manager
  `;
  return row;
}
