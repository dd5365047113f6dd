import type { Pool, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { ReadServerReport } from '../../db/reads.ts';
import { listBatches, listReorgs } from './activity-queries.ts';
import { renderActivity } from './activity-schema.ts';
import { findAudit } from './audit-queries.ts';
import { renderAudit } from './audit-schema.ts';
import type { IngestConditions } from './conditions-schema.ts';
import { findDatabaseSize } from './database-queries.ts';
import { renderDatabase } from './database-schema.ts';
import { findIngestStatus } from './status-queries.ts';
import { renderIngestStatus } from './status-schema.ts';

/** How far the tables are behind the event log and the nodes. */
export const readIngestStatus = async (sql: Sql, conditions: IngestConditions) =>
  renderIngestStatus(await findIngestStatus(sql), conditions);

const BATCHES = 60;
const REORGS = 20;

/** The last transactions of the fold, and the last forks. */
export const readActivity = (pool: Pool) =>
  inSnapshot(pool, async sql => renderActivity(await listBatches(sql, BATCHES), await listReorgs(sql, REORGS)));

/** The progress and the findings of the continuous audit. */
export const readAudit = async (sql: Sql) => renderAudit(await findAudit(sql));

/** The size of the database, and the servers that responses are read from. */
export const readDatabase = async (sql: Sql, servers: () => ReadServerReport[]) => {
  const size = await findDatabaseSize(sql);
  return renderDatabase(size, servers());
};
