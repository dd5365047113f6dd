import type { Sql } from '../../db/client.ts';
import { findAudit } from '../../queries/status/audit.ts';
import { findIngestStatus } from '../../queries/status/status.ts';
import { renderAudit } from '../../schemas/status/audit.ts';
import { renderIngestStatus } from '../../schemas/status/status.ts';

/** How far the tables are behind the event log. */
export const readIngestStatus = async (sql: Sql) => renderIngestStatus(await findIngestStatus(sql));

/** The progress and the findings of the continuous audit. */
export const readAudit = async (sql: Sql) => renderAudit(await findAudit(sql));
