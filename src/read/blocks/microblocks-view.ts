import type { Pool, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import type { ReadCaches } from '../read-caches.ts';
import { listStreamTransactions } from '../transactions/list-queries.ts';
import { listTransactionsAt } from '../transactions/positions-queries.ts';
import { renderTransaction } from '../transactions/transaction-schema.ts';
import { renderMicroblock } from './microblock-schema.ts';
import * as queries from './microblocks-queries.ts';
import { findOrphanMicroblock } from './orphan-microblocks-queries.ts';

/** Microblocks, newest first. */
export async function listMicroblocks(sql: Sql, { limit, offset }: { limit: number; offset: number }) {
  const { total, rows } = await queries.listMicroblocks(sql, limit, offset);
  return { limit, offset, total, results: rows.map(renderMicroblock) };
}

/** A canonical microblock, or else an orphaned one. */
export async function findMicroblock(pool: Pool, hash: Uint8Array) {
  const row = await inSnapshot(
    pool,
    async sql => (await queries.findMicroblock(sql, hash)) ?? (await findOrphanMicroblock(sql, hash)),
  );
  if (!row) throw notFound('cannot find microblock by hash');
  return renderMicroblock(row);
}

/** Transactions of microblocks that no block has confirmed yet. */
export async function listUnanchoredTransactions({ interfaces }: ReadCaches, pool: Pool) {
  const rows = await inSnapshot(pool, async sql =>
    listTransactionsAt(sql, await listStreamTransactions(sql, {}), interfaces),
  );
  return { total: rows.length, results: rows.map(row => renderTransaction(row)) };
}
