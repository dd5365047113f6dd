import { principalFromBytes } from '../../codec/address/principal.ts';
import type { Pool, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import { renderEventList, renderLogList } from '../events/event-list-view.ts';
import { refuseUnbounded } from '../pages/unbounded-list-view.ts';
import type { ReadCaches } from '../read-caches.ts';
import { renderLogPage } from './contract-log-schema.ts';
import { renderContract, renderContractStatus } from './contract-schema.ts';
import { findDeploy, listContractsByFunctions, listDeploys, listPendingDeploys } from './contracts-queries.ts';
import { renderDeployedContract } from './deployed-contract-schema.ts';
import { findDeployedContract } from './deployed-contracts-queries.ts';
import { listLogs } from './logs-queries.ts';

type Page = { limit: number; offset: number };

/** A contract with its source and its interface. */
export async function findContract(sql: Sql, contract: Uint8Array) {
  const row = await findDeploy(sql, contract);
  if (!row) throw notFound('cannot find contract by ID');
  return renderContract(row);
}

/** Contracts that have all functions with these digests, newest first. */
export async function listContractsByTrait(pool: Pool, digests: bigint[], page: Page) {
  const rows = await inSnapshot(pool, sql => listContractsByFunctions(sql, digests, page)).catch(refuseUnbounded);
  if (rows.length === 0) throw notFound('cannot find contract for this trait');
  return { ...page, results: rows.map(renderContract) };
}

/** Print events of a contract, newest first. */
export async function listContractEvents(caches: ReadCaches, sql: Pool, contract: Uint8Array, page: Page) {
  const { page: rows } = await listLogs(sql, contract, page);
  return { ...page, results: await renderEventList(caches, sql, rows) };
}

type LogPosition = NonNullable<Parameters<typeof listLogs>[2]['place']>;

/** Print events of a contract from a position on, newest first, with the cursors of the pages around. */
export async function listContractLogs(
  caches: ReadCaches,
  sql: Pool,
  contract: Uint8Array,
  position: LogPosition | undefined,
  page: Page,
) {
  const logs = await listLogs(sql, contract, { place: position, ...page, around: true });
  if (position && logs.start >= logs.total) throw notFound('Cursor not found');
  return { ...page, ...renderLogPage(logs), results: await renderLogList(caches, sql, logs.page) };
}

/** The state of the deploys of contracts by their ids; a mined deploy wins over a pending one. */
export async function findContractStatuses(pool: Pool, contracts: Uint8Array[]) {
  const rows = await inSnapshot(pool, async sql => [
    ...(await listPendingDeploys(sql, contracts)),
    ...(await listDeploys(sql, contracts)),
  ]);
  return new Map(rows.map(row => [principalFromBytes(row.name), renderContractStatus(row)]));
}

/** A contract and its deploy, with its source where `withSource`. */
export async function findSmartContract(sql: Sql, contract: Uint8Array, withSource: boolean) {
  const row = await findDeployedContract(sql, contract);
  if (!row) throw notFound('Smart contract not found');
  return renderDeployedContract(row, withSource);
}
