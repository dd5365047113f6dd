import { arrayLiteral, type Sql } from '../db/client.ts';
import type { Hold } from './delivery-queries.ts';

/** A block as it was sent. */
export type SentBlock = { height: number; index_hash: Buffer; body: string };

/** Blocks behind the newest one that a fork may still remove; deeper ones are not named in a rollback. */
const KEPT_HEIGHTS = 1000;

/** Stores blocks before they are sent, if the hook is still held. */
export async function keepBlocks(sql: Sql, { id, term }: Hold, blocks: readonly SentBlock[]): Promise<void> {
  const json = JSON.stringify(blocks.map(({ index_hash, ...rest }) => ({ ...rest, hash: index_hash.toString('hex') })));
  await sql`
    insert into webhook_blocks (hook, height, index_hash, body)
    select w.id, s.height, decode(s.hash, 'hex'), s.body
    from json_to_recordset(${json}::text::json) as s (height int, hash text, body text)
    join webhooks w on w.id = ${id} and w.term = ${term}
    on conflict (hook, height, index_hash) do update set body = excluded.body
  `;
}

/** The blocks above a height that a receiver may have, highest first; those that are sent again are left out. */
export async function listSentAbove(
  sql: Sql,
  hook: number,
  height: number,
  sentAgain: readonly Uint8Array[],
): Promise<string[]> {
  const rows = await sql<{ body: string }[]>`
    select s.body
    from webhook_blocks s
    where s.hook = ${hook} and s.height > ${height} and not s.index_hash = any (${arrayLiteral(sentAgain)}::bytea[])
    order by s.height desc, s.index_hash
  `;
  return rows.map(({ body }) => body);
}

/** Drops the blocks above a height that a rollback has named, and those that no fork reaches. */
export async function forgetBlocks(
  sql: Sql,
  { id }: Hold,
  above: number | undefined,
  kept: readonly Uint8Array[],
): Promise<void> {
  await sql`
    delete from webhook_blocks s
    where s.hook = ${id} and (
      (s.height > ${above ?? null}::int and not s.index_hash = any (${arrayLiteral(kept)}::bytea[]))
      or s.height < (select max(n.height) from webhook_blocks n where n.hook = ${id}) - ${KEPT_HEIGHTS}
    )
  `;
}
