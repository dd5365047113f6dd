import type { Query } from './store.ts';

/** How far a sink is: the chain up to a height. An empty position begins with the next height. */
export type Cursor = { height: number; position: string };

/** Another process has moved the cursor of the same sink: only one may run. */
export class CursorMoved extends Error {
  override name = 'CursorMoved';
}

/** How many heights stay known, so that a service that has lost the newest ones can be continued. */
const KEPT = 2_000;

/** Rows of a sink in the table `cairn_cursors`: its newest one is the cursor, the others are what it can go back to. */
export const cursors = {
  async create(query: Query): Promise<void> {
    await query(`create table if not exists cairn_cursors (
      name text not null, height bigint not null, position text not null, primary key (name, height))`);
  },

  /** The rows, the newest first. */
  async list(query: Query, name: string): Promise<Cursor[]> {
    const rows = await query('select height, position from cairn_cursors where name = $1 order by height desc', [name]);
    return rows.map(({ height, position }) => ({ height: Number(height), position: String(position) }));
  },

  async begin(query: Query, name: string, { height, position }: Cursor): Promise<void> {
    await query('insert into cairn_cursors (name, height, position) values ($1, $2, $3) on conflict do nothing', [
      name,
      height,
      position,
    ]);
  },

  /** Moves on in the transaction that holds what was done, if nobody else has moved since. */
  async move(query: Query, name: string, from: Cursor, to: Cursor): Promise<void> {
    const held = await query(
      'update cairn_cursors set position = position where name = $1 and height = $2 and position = $3 returning height',
      [name, from.height, from.position],
    );
    // The row of the beginning stays, so that it alone does not tell: this statement sees what was committed before the row was held.
    const [newest] = await query(
      "select position from cairn_cursors where name = $1 and position <> '' order by height desc limit 1",
      [name],
    );
    const isMoved = (newest?.position ?? '') !== from.position;
    if (held.length === 0 || isMoved) throw new CursorMoved(`another process has moved the cursor of the sink ${name}`);
    await query("delete from cairn_cursors where name = $1 and height > $2 and position <> ''", [name, to.height]);
    await query(
      `insert into cairn_cursors (name, height, position) values ($1, $2, $3)
      on conflict (name, height) do update set position = excluded.position`,
      [name, to.height, to.position],
    );
    await query("delete from cairn_cursors where name = $1 and height < $2 and position <> ''", [
      name,
      to.height - KEPT,
    ]);
  },
};
