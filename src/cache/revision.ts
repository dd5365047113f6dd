import type { Sql } from '../db/client.ts';
import type { Statement } from '../db/statement.ts';

/**
 * The version of rendered entries of blocks. As long as it stays the same, blocks are only added at the tip: rows that were
 * read at a height are still valid.
 */
export const revision = (sql: Sql) => sql`(select f.revision from fold_position f)`;

/** The version of an entry at a height that may be above the newest block, where it has none: it may still change. */
export const revisionAt = (sql: Sql, height: Statement<unknown>) => sql`
  case when ${height} <= (select f.height from fold_position f) then ${revision(sql)} end
`;

/**
 * Changes of the position `f` whenever what the tables say may have changed: with each block, too, and at the end of a
 * bulk load, which leaves current values for then.
 */
export const stateOf = (sql: Sql) => sql`f.revision || ' ' || f.height || ' ' || f.bulk`;
