import type { Sql } from '../../db/client.ts';

type ConnectionCount = { name: string; state: string; count: number };

/** Connections of this program to this database, by the part that opened them. */
export async function countConnections(sql: Sql): Promise<ConnectionCount[]> {
  return await sql<ConnectionCount[]>`
    select a.application_name as name, coalesce(a.state, 'unknown') as state, count(*)::int as count
    from pg_stat_activity a
    where a.datname = current_database()
      and a.application_name like 'cairn%'
    group by a.application_name, a.state
  `;
}
