import type { Sql } from '../../db/client.ts';

/** The time of the block `b`: that of its header or, before Nakamoto, that of its burn block. */
export const blockTime = (sql: Sql) => sql`case when b.time > 0 then b.time else b.burn_time end`;
