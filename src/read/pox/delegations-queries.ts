import { poxCalls } from '../../chain/pox/print.ts';
import { constant, type Sql } from '../../db/client.ts';

/** A member of a pool: its last delegation, which is still in force. */
export type PoxDelegationRow = {
  stacker: Buffer;
  amount: string;
  /** Burn height at which it ends. */
  until: string | null;
  address: Buffer;
  height: number;
  tx_id: Buffer;
  total: number;
};

type PoxDelegationQuery = {
  version: number;
  pool: Uint8Array;
  /** As it stood after this block. */
  height: number;
  /** Members that joined after this block only. */
  afterBlock: number;
  limit: number;
  offset: number;
};

/** The burn height of a block; undefined when the chain has none of this height. */
export async function findBurnHeight(sql: Sql, height: number): Promise<number | undefined> {
  const [row] = await sql<{ burn_height: number }[]>`select b.burn_height from blocks b where b.height = ${height}`;
  return row?.burn_height;
}

/**
 * Newest first. A delegation holds until it ends, is revoked, or another one follows it. The codes of both calls are written
 * out: a planner that sees a parameter may not use an index on them.
 */
export async function listPoxDelegations(sql: Sql, query: PoxDelegationQuery, burnHeight: number) {
  const { version, pool, height, afterBlock, limit, offset } = query;
  return await sql<PoxDelegationRow[]>`
    select s.name as stacker, m.amount, m.until, m.address, m.height, t.tx_id, m.total
    from (
      select m.stacker, m.amount, m.until, m.address, m.height, m.place, m.event_index, count(*) over ()::int as total
      from (
        select distinct on (d.stacker) d.stacker, d.amount, d.until, d.address, d.height, d.place, d.event_index
        from pox_events d
        where d.pool = (select p.id from principals p where p.name = ${pool})
          and d.version = ${version}
          and d.call = ${constant(sql, poxCalls['delegate-stx'])}
          and d.height <= ${height}
        order by d.stacker, d.height desc, d.place desc, d.event_index desc
      ) m
      where m.height > ${afterBlock}
        and (m.until is null or m.until > ${burnHeight})
        and not exists (
          select 1
          from pox_events l
          where l.stacker = m.stacker
            and l.version = ${version}
            and l.call in (${constant(sql, poxCalls['delegate-stx'], poxCalls['revoke-delegate-stx'])})
            and l.height between m.height and ${height}
            and (l.height, l.place, l.event_index) > (m.height, m.place, m.event_index)
        )
      order by m.height desc, m.place desc, m.event_index desc
      limit ${limit}
      offset ${offset}
    ) m
    join principals s on s.id = m.stacker
    join transactions t on t.height = m.height and t.place = m.place
    order by m.height desc, m.place desc, m.event_index desc
  `;
}
