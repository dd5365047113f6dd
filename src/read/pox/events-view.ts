import { totalOfPage } from '../../compat/page-total.ts';
import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import type { Network } from '../../network.ts';
import { findBurnHeight, listPoxDelegations, type PoxDelegationQuery } from './delegations-queries.ts';
import * as queries from './events-queries.ts';
import { renderPoolDelegation } from './pox-delegation-schema.ts';
import { renderPoxEvent } from './pox-event-schema.ts';

/** Calls of the PoX contract of a version, newest first. */
export const listPoxEvents = async (
  sql: Sql,
  network: Network,
  version: number,
  { limit, offset }: { limit: number; offset: number },
) => ({ limit, offset, results: render(await queries.listPoxEvents(sql, version, limit, offset), network) });

/** Calls of a PoX contract by one transaction. */
export async function listPoxEventsOfTransaction(sql: Sql, network: Network, version: number, txId: Uint8Array) {
  const rows = await queries.listPoxEventsOfTransaction(sql, version, txId);
  if (!rows) throw notFound('could not find transaction by ID');
  return { results: render(rows, network) };
}

/** Calls of a PoX contract about a stacker, newest first. */
export const listPoxEventsOfStacker = async (sql: Sql, network: Network, version: number, stacker: Uint8Array) => ({
  results: render(await queries.listPoxEventsOfStacker(sql, version, stacker), network),
});

/** Members of a stacking pool after a block, newest first. */
export async function listPoolDelegations(sql: Sql, network: Network, query: PoxDelegationQuery) {
  const burnHeight = await findBurnHeight(sql, query.height);
  if (burnHeight === undefined) throw notFound(`no block at height: ${query.height}`);
  const rows = await listPoxDelegations(sql, query, burnHeight);
  const { limit, offset } = query;
  return {
    limit,
    offset,
    total: totalOfPage(rows),
    results: rows.map(row => renderPoolDelegation(row, network)),
  };
}

const render = (rows: queries.PoxEventRow[], network: Network) =>
  rows.flatMap(row => renderPoxEvent(row, network) ?? []);
