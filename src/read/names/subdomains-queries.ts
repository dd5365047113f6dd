import type { Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';

export type SubdomainRow = {
  owner: string;
  resolver: string;
  zonefile_hash: Buffer;
  content: Buffer;
  /** Absent for subdomains that the chain began with. */
  tx_id: Buffer | null;
};

/** An update of a name in version 1 is what brings subdomains. */
const updated = 3;

/** A subdomain as the newest zonefile of its parent that names it has it; whether the parent is still valid is not checked. */
export async function findSubdomain(
  sql: Sql,
  { label, parent }: { label: string; parent: string },
  asOf: AsOf,
): Promise<SubdomainRow | undefined> {
  const [row] = await sql<SubdomainRow[]>`
    select d.owner, d.resolver, d.zonefile_hash, d.content, t.tx_id
    from (${asOfBlock(sql, asOf)}) m
    cross join lateral (${candidates(sql, sql`d.parent = ${parent} and d.label = ${label}`)} limit 1) d
    left join transactions t on t.height = d.height and t.place = d.place
  `;
  return row;
}

/** All subdomains of a name, ascending. */
export async function listSubdomains(sql: Sql, parent: string): Promise<string[]> {
  const rows = await sql<{ label: string }[]>`
    with taken as materialized (
      select distinct h.zonefile_hash
      from names n
      cross join fold_position p
      join name_history h on h.name = n.name and h.height <= p.height
      where n.name = ${parent} and not n.hidden and h.version = 1 and h.change = ${updated}
      union
      select ''::bytea
      from names n
      where n.name = ${parent} and not n.hidden
    )
    select distinct d.label
    from taken t
    join zonefile_subdomains d on d.parent = ${parent} and d.zonefile = t.zonefile_hash
    order by d.label
  `;
  return rows.map(({ label }) => `${label}.${parent}`);
}

/** Subdomains that an account owns, ascending; those of a revoked name have no owner. */
export async function listSubdomainsOf(sql: Sql, owner: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    with m as materialized (
      ${asOfBlock(sql, 'tip')}
    ), owned as (
      select distinct s.parent, s.label
      from zonefile_subdomains s
      join names n on n.name = s.parent and not n.hidden
      where s.owner = ${owner}
    )
    select o.label || '.' || o.parent as name
    from m
    cross join owned o
    cross join lateral (${candidates(sql, sql`d.parent = o.parent and d.label = o.label`)} limit 1) d
    where d.owner = ${owner}
    order by name
  `;
  return rows.map(({ name }) => name);
}

/** The resolver that the newest zonefile with subdomains names; undefined where a name has no subdomain. */
export async function findResolver(sql: Sql, parent: string, asOf: AsOf): Promise<string | undefined> {
  const [row] = await sql<{ resolver: string }[]>`
    select coalesce(d.resolver, g.resolver) as resolver
    from (${asOfBlock(sql, asOf)}) m
    left join lateral (
      select d.resolver
      from name_history h
      cross join lateral (
        select d.resolver
        from zonefile_subdomains d
        where d.parent = h.name and d.zonefile = h.zonefile_hash
        limit 1
      ) d
      where h.name = ${parent} and h.version = 1 and h.change = ${updated} and h.height <= m.height
      order by h.height desc, h.place desc, h.event_index desc
      limit 1
    ) d on true
    left join lateral (
      select g.resolver
      from zonefile_subdomains g
      where g.parent = ${parent} and g.zonefile = ''
      order by g.label
      limit 1
    ) g on true
    where d.resolver is not null or g.resolver is not null
  `;
  return row?.resolver;
}

/** Rows of the subdomain table with the position at which their zonefile became valid, newest first; `m` is the as-of block. */
const candidates = (sql: Sql, condition: ReturnType<Sql>) => sql`
  select d.owner, d.resolver, d.zonefile_hash, d.content, coalesce(h.height, 1) as height, coalesce(h.place, -1) as place
  from zonefile_subdomains d
  left join lateral (
    select h.height, h.place, h.event_index
    from name_history h
    where h.name = d.parent and h.zonefile_hash = d.zonefile and h.version = 1 and h.change = ${updated}
      and h.height <= m.height
    -- Not the order of the primary key: a registrar has thousands of rows there, and one with this hash.
    order by h.height + 0 desc, h.place desc, h.event_index desc
    limit 1
  ) h on not d.genesis
  where ${condition} and (d.genesis or h.height is not null)
  order by coalesce(h.height, 1) desc, coalesce(h.place, -1) desc, h.event_index desc nulls last
`;
