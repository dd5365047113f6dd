import { totalOfPage } from '../../compat/page-total.ts';
import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import type { Network } from '../../network.ts';
import { findPoxCycle, hasPoxSigner, listPoxCycles, listPoxSigners } from './cycles-queries.ts';
import { renderPoxCycle, renderPoxSigner, renderPoxStackers } from './pox-cycle-schema.ts';
import { listPoxStackers } from './stackers-queries.ts';

type Page = { limit: number; offset: number };

/** Reward cycles with a signer set, newest first. */
export async function listCycles(sql: Sql, { limit, offset }: Page) {
  const rows = await listPoxCycles(sql, limit, offset);
  return { limit, offset, total: totalOfPage(rows), results: rows.map(renderPoxCycle) };
}

export const findCycle = async (sql: Sql, number: number) => renderPoxCycle(await readCycle(sql, number, 'Not found'));

/** The signer set of a cycle, the largest weight first. */
export async function listSigners(sql: Sql, network: Network, number: number, page: Page) {
  const rows = await listPoxSigners(sql, await readCycle(sql, number), page);
  return { ...page, total: totalOfPage(rows), results: rows.map(row => renderPoxSigner(row, network)) };
}

export async function findSigner(sql: Sql, network: Network, number: number, key: Buffer) {
  const cycle = await readCycle(sql, number);
  const [signer] = await listPoxSigners(sql, cycle, { limit: 1, offset: 0, key });
  if (!signer) throw notFound('PoX cycle signer not found');
  return renderPoxSigner(signer, network);
}

/** The stackers of a signer, the largest amount first. */
export async function listStackers(sql: Sql, network: Network, number: number, key: Buffer, page: Page) {
  const cycle = await readCycle(sql, number);
  if (!(await hasPoxSigner(sql, cycle, key))) throw notFound('PoX cycle signer not found');
  const rows = await listPoxStackers(sql, cycle.cycle, cycle.height, key);
  const results = renderPoxStackers(rows, network, page);
  return { ...page, total: results.length > 0 ? rows.length : 0, results };
}

async function readCycle(sql: Sql, number: number, missing = 'PoX cycle not found') {
  const cycle = await findPoxCycle(sql, number);
  if (!cycle) throw notFound(missing);
  return cycle;
}
