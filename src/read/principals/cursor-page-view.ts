import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { type Cursor, findCursor, findCursorOffset } from './cursors-queries.ts';
import type { Account, Page } from './transaction-pages-queries.ts';
import { listPrincipalTransactions, type PrincipalTransaction } from './transactions-queries.ts';

type CursorPage = {
  total: number;
  next_cursor: string | null;
  prev_cursor: string | null;
  cursor: string | null;
  rows: PrincipalTransaction[];
};

/** The page that starts at a cursor, with the cursors of the newer page (`next`) and the older one (`prev`). */
export async function cursorPage(sql: Sql, account: Account, page: Page, text: string): Promise<CursorPage> {
  const start = text === '' ? 0 : await offsetOf(sql, account, parseCursor(text));
  const offset = start + page.offset;
  const list = async (from: number, limit: number) =>
    listPrincipalTransactions(sql, account, { limit, offset: from }, { hidden: 'idle' });
  const { total, rows } = await list(offset, page.limit + 1);
  const newer = offset >= page.limit ? (await list(offset - page.limit, 1)).rows[0] : undefined;
  return {
    total,
    next_cursor: await cursorOf(sql, newer),
    prev_cursor: await cursorOf(sql, rows[page.limit]),
    cursor: await cursorOf(sql, rows[0]),
    rows: rows.slice(0, page.limit),
  };
}

async function cursorOf(sql: Sql, row: PrincipalTransaction | undefined): Promise<string | null> {
  const cursor = row && (await findCursor(sql, row));
  return cursor ? `${toHex(cursor.indexHash)}:${cursor.microblockSequence}:${cursor.txIndex}` : null;
}

async function offsetOf(sql: Sql, account: Account, cursor: Cursor): Promise<number> {
  const found = await findCursorOffset(sql, account, cursor);
  if ('offset' in found) return found.offset;
  throw notFound(
    found.orphaned
      ? 'Invalid cursor: its block is no longer part of the chain. Start again without a cursor'
      : 'Invalid cursor: block not found',
  );
}

function parseCursor(text: string): Cursor {
  const [, hash, microblockSequence, txIndex] = /^(0x[0-9a-f]{64}):(\d{1,10}):(\d{1,9})$/i.exec(text) ?? [];
  if (hash === undefined || Number(microblockSequence) > 2_147_483_647) throw notFound('Invalid cursor format');
  return { indexHash: fromHex(hash), microblockSequence: Number(microblockSequence), txIndex: Number(txIndex) };
}
