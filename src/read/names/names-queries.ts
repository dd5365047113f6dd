import type { Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';

export type NameRow = {
  name: string;
  namespace: string;
  version: 1 | 2;
  height: number;
  place: number;
  event_index: number;
  /** Absent for names that the chain began with. */
  tx_id: Buffer | null;
  /** Absent for a burnt name. */
  owner: Buffer | null;
  lease_start: number;
  renewal: number;
  token: number;
  change: number;
  status: number;
  revoked: boolean;
  price: string | null;
  /** '' where there is none, or it is that of an earlier owner. */
  zonefile_hash: Buffer;
  /** Of the namespace; absent where it is not known. */
  lifetime: number | null;
  launched_at: number | null;
};

/** A name with its zonefile and the heights of the as-of block. */
export type FoundName = NameRow & { content: Buffer | null; now: number; burn_now: number };

/** A name as of a block, in the newest version that has it; revoked and burnt ones too. */
export async function findName(sql: Sql, name: string, asOf: AsOf): Promise<FoundName | undefined> {
  const [row] = await sql<FoundName[]>`
    select ${columns(sql)}, z.content, m.height as now, coalesce(m.burn_height, 0) as burn_now
    from (${asOfBlock(sql, asOf)}) m
    cross join lateral (
      select h.*
      from name_history h
      where h.name = ${name} and h.height <= m.height
      order by h.version desc, h.height desc, h.place desc, h.event_index desc
      limit 1
    ) h
    ${joins(sql)}
    left join zonefiles z on z.hash = h.zonefile_hash and h.zonefile_owner = h.owner
  `;
  return row;
}

/** Where a page of changes begins: behind the change with this key. */
export type ChangeKey = { version: number; height: number; place: number; index: number };

/** Changes of a name, the newest first, with the state after each. Returns one row more than requested where there is more. */
export async function listNameChanges(
  sql: Sql,
  name: string,
  asOf: AsOf,
  { before, limit }: { before?: ChangeKey | undefined; limit: number },
): Promise<NameRow[]> {
  const start = before
    ? sql`and (h.version, h.height, h.place, h.event_index)
        < (${before.version}::int, ${before.height}::int, ${before.place}::int, ${before.index}::int)`
    : sql``;
  return await sql<NameRow[]>`
    select ${columns(sql)}
    from (${asOfBlock(sql, asOf)}) m
    cross join lateral (
      select h.*
      from name_history h
      where h.name = ${name} and h.height <= m.height ${start}
      order by h.version desc, h.height desc, h.place desc, h.event_index desc
      limit ${limit + 1}
    ) h
    ${joins(sql)}
    order by h.version desc, h.height desc, h.place desc, h.event_index desc
  `;
}

/** A zonefile that a name has or had, by its hash; undefined where it never had it. Empty until it arrives. */
export async function findZonefile(sql: Sql, name: string, hash: Uint8Array): Promise<Uint8Array | undefined> {
  const [row] = await sql<{ content: Buffer | null }[]>`
    select z.content
    from names n
    cross join fold_position p
    cross join lateral (
      select h.zonefile_hash
      from name_history h
      where h.name = n.name and h.zonefile_hash = ${hash} and h.height <= p.height
      limit 1
    ) h
    left join zonefiles z on z.hash = h.zonefile_hash
    where n.name = ${name} and not n.hidden
  `;
  return row && (row.content ?? new Uint8Array(0));
}

/** `h` is a row of the history. */
export const columns = (sql: Sql) => sql`
  h.name, h.namespace, h.version, h.height, h.place, h.event_index, t.tx_id, o.name as owner, h.lease_start, h.renewal,
  h.token, h.change, h.status, h.revoked, h.price,
  case when h.zonefile_owner = h.owner then h.zonefile_hash else '' end as zonefile_hash,
  s.lifetime, s.launched_at
`;

/** `m` is the as-of block. */
export const joins = (sql: Sql) => sql`
  left join transactions t on t.height = h.height and t.place = h.place
  left join principals o on o.id = h.owner
  left join lateral (
    select s.lifetime, s.launched_at
    from namespace_history s
    where s.namespace = h.namespace and s.version = h.version and s.height <= m.height
    order by s.height desc, s.place desc, s.event_index desc
    limit 1
  ) s on true
`;
