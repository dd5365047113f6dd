/** Runs one statement within a transaction; parameters are named $1, $2, … in the text. */
export type Query = (sql: string, parameters?: readonly unknown[]) => Promise<Record<string, unknown>[]>;

/** A database whose transactions hold the rows of a sink and its cursor. `Tx` is what the callbacks of the sink get. */
export type Store<Tx> = {
  /** Commits what the work did, or nothing of it if it throws. */
  transaction<T>(work: (tx: Tx, query: Query) => Promise<T>): Promise<T>;
};

/** One connection of node-postgres (`pg.Client` or a client of a pool), or anything with the same method. */
export type PostgresConnection = {
  query(sql: string, parameters?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
};

/** Transactions of PostgreSQL. The connection must not be used by others meanwhile. */
export function postgres<Connection extends PostgresConnection>(connection: Connection): Store<Connection> {
  const query: Query = async (sql, parameters = []) => (await connection.query(sql, [...parameters])).rows;
  return { transaction: work => within(query, 'begin', () => work(connection, query)) };
}

/** A database of `node:sqlite` or `better-sqlite3`. */
export type SqliteDatabase = {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...parameters: never[]): unknown; run(...parameters: never[]): unknown };
};

/** Transactions of SQLite. */
export function sqlite<Database extends SqliteDatabase>(database: Database): Store<Database> {
  const query: Query = async (sql, parameters = []) => {
    // SQLite counts `?1`; it would take `$1` for a name.
    const statement = database.prepare(sql.replace(/\$(\d+)/g, '?$1'));
    const given = parameters as never[];
    if (/^\s*select|\sreturning\s/i.test(sql)) return statement.all(...given) as Record<string, unknown>[];
    statement.run(...given);
    return [];
  };
  const control: Query = async sql => {
    database.exec(sql);
    return [];
  };
  return { transaction: work => within(control, 'begin immediate', () => work(database, query)) };
}

async function within<T>(control: Query, begin: string, work: () => Promise<T>): Promise<T> {
  await control(begin);
  try {
    const result = await work();
    await control('commit');
    return result;
  } catch (error) {
    // The first error is the one to tell; a lost connection has rolled back by itself.
    await control('rollback').catch(() => {});
    throw error;
  }
}
