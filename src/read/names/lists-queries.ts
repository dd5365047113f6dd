import { arrayLiteral, type Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';
import { columns, joins, type NameRow } from './names-queries.ts';

/** Names of a page of the public API. */
const namesOfPage = 100;

/** All names, ascending. */
export async function listNames(sql: Sql, page: number): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select n.name
    from names n
    where not n.hidden
    order by n.name
    limit ${namesOfPage}
    offset ${page * namesOfPage}
  `;
  return rows.map(({ name }) => name);
}

/** Names of a namespace, ascending. */
export async function listNamesIn(sql: Sql, namespace: string, page: number): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select n.name
    from names n
    where n.namespace = ${namespace} and not n.hidden
    order by n.name
    limit ${namesOfPage}
    offset ${page * namesOfPage}
  `;
  return rows.map(({ name }) => name);
}

/** All names that an account owns now, ascending. */
export async function listNamesOf(sql: Sql, owner: Uint8Array): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select n.name
    from principals p
    join names n on n.owner = p.id and not n.hidden
    where p.name = ${owner}
    order by n.name
  `;
  return rows.map(({ name }) => name);
}

/** Names that a principal owned as of a block, ascending, with their state then. Returns one row more where there is more. */
export async function listOwnedNames(
  sql: Sql,
  owner: Uint8Array,
  asOf: AsOf,
  { after = '', limit }: { after?: string | undefined; limit: number },
): Promise<NameRow[]> {
  return await sql<NameRow[]>`
    with m as materialized (
      ${asOfBlock(sql, asOf)}
    )
    select ${columns(sql)}
    from m
    join principals p on p.name = ${owner}
    cross join lateral (
      select l.*
      from (
        select distinct h.name
        from name_history h
        where h.owner = p.id and h.name > ${after}
        order by h.name
      ) e
      cross join lateral (
        select h.*
        from name_history h
        where h.name = e.name and h.height <= m.height
        order by h.version desc, h.height desc, h.place desc, h.event_index desc
        limit 1
      ) l
      where l.owner = p.id and not l.revoked
      order by e.name
      limit ${limit + 1}
    ) h
    ${joins(sql)}
    order by h.name
  `;
}

export type ExpiringRow = { name: string; namespace: string; owner: Buffer; expires: number };

/** Where a page of names that end begins: behind this one. */
export type ExpiryKey = { expires: number; name: string };

/** Names of a version whose lease ends from `from` to `to`, the soonest first. Gives one more where there is more. */
export async function listExpiring(
  sql: Sql,
  version: 1 | 2,
  { from, to }: { from: number; to: number },
  { after, limit }: { after?: ExpiryKey | undefined; limit: number },
): Promise<ExpiringRow[]> {
  const start = after ?? { expires: from, name: '' };
  return await sql<ExpiringRow[]>`
    with terms as (
      select distinct on (s.namespace) s.namespace, s.lifetime, s.launched_at
      from namespace_history s
      cross join fold_position p
      where s.version = ${version} and s.height <= p.height
      order by s.namespace, s.height desc, s.place desc, s.event_index desc
    ), announced as (
      select n.name, n.namespace, n.owner, n.renewal as expires
      from names n
      join terms s on s.namespace = n.namespace
      where n.renewal > 0 and not n.hidden and n.version = ${version}
        and n.renewal between ${from}::int and ${to}::int
        and (n.renewal, n.name) > (${start.expires}::int, ${start.name}::text)
        and s.lifetime > 0
      order by n.renewal, n.name
      limit ${limit + 1}
    ), leased as (
      select n.name, n.namespace, n.owner, n.expires
      from terms s
      cross join lateral (
        select n.name, n.namespace, n.owner, n.lease_start + s.lifetime as expires
        from names n
        where n.namespace = s.namespace and n.version = ${version} and n.renewal = 0 and not n.hidden
          and n.lease_start between greatest(${start.expires}::int - s.lifetime, 1) and ${to}::int - s.lifetime
          and (n.lease_start, n.name) > (${start.expires}::int - s.lifetime, ${start.name}::text)
        order by n.lease_start, n.name
        limit ${limit + 1}
      ) n
      where s.lifetime > 0
      union all
      select n.name, n.namespace, n.owner, n.expires
      from terms s
      cross join lateral (
        select n.name, n.namespace, n.owner, s.launched_at::int8 + s.lifetime as expires
        from names n
        where n.namespace = s.namespace and n.version = ${version} and n.renewal = 0 and not n.hidden
          and n.lease_start = 0
          and (s.launched_at::int8 + s.lifetime, n.name) > (${start.expires}::int, ${start.name}::text)
        order by n.name
        limit ${limit + 1}
      ) n
      where s.lifetime > 0 and s.launched_at > 0
        and s.launched_at::int8 + s.lifetime between ${from}::int and ${to}::int
    )
    select e.name, e.namespace, p.name as owner, e.expires::int as expires
    from (select * from announced union all select * from leased) e
    join principals p on p.id = e.owner
    order by e.expires, e.name
    limit ${limit + 1}
  `;
}

export type PrimaryName = { name: string; version: 1 | 2 };

/** The primary name of a principal as of a block; the one name of version 1 where it has none of version 2. */
export const findPrimaryName = async (sql: Sql, owner: Uint8Array, asOf: AsOf): Promise<PrimaryName | undefined> =>
  (await listPrimaryNames(sql, [owner], asOf))[0];

/** The primary names of principals as of a block, in the order of the principals. */
export async function listPrimaryNames(
  sql: Sql,
  owners: readonly Uint8Array[],
  asOf: AsOf,
): Promise<(PrimaryName | undefined)[]> {
  const found: (PrimaryName | undefined)[] = owners.map(() => undefined);
  if (owners.length === 0) return found;
  const rows = await sql<{ position: number; name: string | null; legacy: string | null }[]>`
    select w.n::int as position, n.name, l.name as legacy
    from (${asOfBlock(sql, asOf)}) m
    cross join unnest(${arrayLiteral(owners)}::bytea[]) with ordinality as w (owner, n)
    join principals p on p.name = w.owner
    left join lateral (
      select y.token
      from primary_names y
      where y.owner = p.id and y.height <= m.height
      order by y.height desc, y.place desc, y.event_index desc
      limit 1
    ) y on true
    left join lateral (
      select h.name
      from name_history h
      where h.token = y.token and y.token > 0 and h.version = 2 and h.height <= m.height
      order by h.height desc
      limit 1
    ) n on true
    left join lateral (
      select e.name
      from (select distinct h.name from name_history h where h.owner = p.id order by h.name) e
      cross join lateral (
        select h.owner, h.revoked, h.version
        from name_history h
        where h.name = e.name and h.height <= m.height
        order by h.version desc, h.height desc, h.place desc, h.event_index desc
        limit 1
      ) l
      where n.name is null and l.version = 1 and l.owner = p.id and not l.revoked
      limit 1
    ) l on true
  `;
  for (const { position, name, legacy } of rows) {
    if (name) found[position - 1] = { name, version: 2 };
    else if (legacy) found[position - 1] = { name: legacy, version: 1 };
  }
  return found;
}
