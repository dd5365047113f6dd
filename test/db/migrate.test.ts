import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { dumpSchema } from '../../src/db/dump-schema.ts';
import { listPending, migrate, pendingOf, readMigrations } from '../../src/db/migrate.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';

/** A folder of migrations that goes away with the test. */
function folder(t: TestContext, files: Record<string, string>): string {
  const directory = mkdtempSync(join(tmpdir(), 'cairn-migrations-'));
  t.onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

const two = {
  '0001-shelves.sql': 'create table shelves (id int primary key); create table empty_ones ();',
  '0002-books.sql': 'create table books (id int primary key, shelf int references shelves);',
};

test('every migration of the program is applied to the template', async t => {
  const { sql } = await testDatabase(t);
  expect(await listPending(sql)).toEqual([]);
  expect(await migrate(sql)).toEqual([]);
});

test('migrations are applied in order, once', async t => {
  const { url, sql } = await emptyDatabase(t);
  const directory = folder(t, two);
  expect(await listPending(sql, { directory })).toEqual(Object.keys(two));
  expect(await migrate(url, { directory })).toEqual(Object.keys(two));
  expect(await migrate(url, { directory })).toEqual([]);
});

test('two migrators at once take turns', async t => {
  const { url } = await emptyDatabase(t);
  // Without the lock, both would create the table while the first one sleeps.
  const directory = folder(t, { '0001-slow.sql': 'select pg_sleep(0.3); create table slow ();' });
  const runs = await Promise.all([migrate(url, { directory }), migrate(url, { directory })]);
  expect(runs.flat()).toEqual(['0001-slow.sql']);
});

test('a file changed after it was applied is refused', async t => {
  const { url } = await emptyDatabase(t);
  await migrate(url, { directory: folder(t, two) });
  const changed = folder(t, { ...two, '0001-shelves.sql': 'create table shelves (id bigint primary key);' });
  await expect(migrate(url, { directory: changed })).rejects.toThrow(
    'the migration 0001-shelves.sql was changed after it was applied: add a new file instead',
  );
});

test('a changed line ending is no change', async t => {
  const { url } = await emptyDatabase(t);
  await migrate(url, { directory: folder(t, { '0001-one.sql': 'create table one ();\n' }) });
  expect(await migrate(url, { directory: folder(t, { '0001-one.sql': 'create table one ();\r\n' }) })).toEqual([]);
});

test('comments and blank lines are no change, but what is quoted is', async t => {
  const { url } = await emptyDatabase(t);
  const one = "create table one (note text default '-- kept'); -- first\n\n/* about two */\ncreate table two ();\n";
  await migrate(url, { directory: folder(t, { '0001-one.sql': one }) });
  const bare = "-- both\ncreate table one (note text default '-- kept');\ncreate table two (); -- last";
  expect(await migrate(url, { directory: folder(t, { '0001-one.sql': bare }) })).toEqual([]);
  const quoted = folder(t, { '0001-one.sql': bare.replace('-- kept', '-- lost') });
  await expect(migrate(url, { directory: quoted })).rejects.toThrow('was changed after it was applied');
});

test('a newer database is told as such, whatever else differs', () => {
  const applied = [
    { name: 'a', checksum: 'other' },
    { name: 'b', checksum: 'b' },
  ];
  expect(() => pendingOf([{ name: 'a', checksum: 'a', text: '' }], applied)).toThrow(
    'the database is newer than this program (it has b): run the newer program',
  );
});

test('a database newer than the program is refused', async t => {
  const { url, sql } = await emptyDatabase(t);
  await migrate(url, { directory: folder(t, two) });
  const older = { directory: folder(t, { '0001-shelves.sql': two['0001-shelves.sql'] }) };
  const message = 'the database is newer than this program (it has 0002-books.sql): run the newer program';
  await expect(migrate(url, older)).rejects.toThrow(message);
  await expect(listPending(sql, older)).rejects.toThrow(message);
});

test('a migration that fails leaves nothing behind and is named', async t => {
  const { url, sql } = await emptyDatabase(t);
  const directory = folder(t, { ...two, '0003-broken.sql': 'create table broken (id nothing);' });
  await expect(migrate(url, { directory })).rejects.toThrow('applying the migration 0003-broken.sql: type "nothing"');
  expect(await sql`select 1 from pg_class where relname in ('shelves', 'migrations')`).toHaveLength(0);
});

test('a rebuild can stand in a schema beside the tables in use', async t => {
  const { url, sql } = await testDatabase(t);
  await migrate(url, { schema: 'next' });
  expect(await dumpSchema(sql, 'next')).toBe(await dumpSchema(sql));
});

test('files must be numbered without gaps', t => {
  expect(() => readMigrations(folder(t, { 'first.sql': '' }))).toThrow('not named NNNN-name.sql');
  expect(() => readMigrations(folder(t, { '0002-second.sql': '' }))).toThrow('should have number 1');
});

test('what is pending follows from the names', () => {
  const files = ['a', 'b', 'c'].map(name => ({ name, checksum: name, text: '' }));
  expect(pendingOf(files, [{ name: 'a', checksum: 'a' }]).map(file => file.name)).toEqual(['b', 'c']);
});

test('the dump shows columns, defaults, constraints, indexes, functions and comments', async t => {
  const { url, sql } = await emptyDatabase(t);
  const directory = folder(t, {
    '0001-all.sql': `
      create type mood as enum ('calm', 'wild');
      create sequence tickets;
      create table shelves (id int generated always as identity primary key, label text not null default 'new' check (label <> ''));
      create table books (id bigint primary key, shelf int references shelves on delete cascade, mood mood, body bytea) with (fillfactor = 90);
      alter table books alter body set storage external;
      create index books_shelf on books (shelf) where shelf > 0;
      comment on index books_shelf is 'list of a shelf';
      comment on table books is 'what''s there';
      create view calm_books as select id from books where mood = 'calm';
      create function twice(n int) returns int language sql immutable as 'select n * 2';
    `,
  });
  await migrate(url, { directory });
  expect(await dumpSchema(sql)).toMatchInlineSnapshot(`
    "-- Written from the migrations by \`npm run check -- --fix\`; do not edit.

    create type mood as enum ('calm', 'wild');

    create sequence tickets as bigint start 1 increment 1;

    create table books (
      id bigint not null,
      shelf integer,
      mood mood,
      body bytea storage external,
      constraint books_pkey PRIMARY KEY (id),
      constraint books_shelf_fkey FOREIGN KEY (shelf) REFERENCES shelves(id) ON DELETE CASCADE
    ) with (fillfactor=90);
    CREATE INDEX books_shelf ON books USING btree (shelf) WHERE (shelf > 0);
    comment on table books is 'what''s there';
    comment on index books_shelf is 'list of a shelf';

    create table shelves (
      id integer not null generated always as identity,
      label text not null default 'new'::text,
      constraint shelves_pkey PRIMARY KEY (id),
      constraint shelves_label_check CHECK ((label <> ''::text))
    );

    create view calm_books as
     SELECT id
       FROM books
      WHERE mood = 'calm'::mood;

    CREATE OR REPLACE FUNCTION twice(n integer)
     RETURNS integer
     LANGUAGE sql
     IMMUTABLE
    AS $function$select n * 2$function$;
    "
  `);
});
