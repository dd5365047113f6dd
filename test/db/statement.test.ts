import { expect, test } from 'vitest';
import { type Send, Statement, type StatementPart } from '../../src/db/statement.ts';
import { testDatabase } from '../support/database.ts';

/** A tag whose statements note what would be sent. */
function noted() {
  const sent: { text: string; values: readonly StatementPart[]; simple: boolean }[] = [];
  const send = ((text: string, values: readonly StatementPart[], simple: boolean) => {
    sent.push({ text, values, simple });
    return Promise.resolve([]);
  }) as unknown as Send;
  const sql = (strings: TemplateStringsArray, ...parts: StatementPart[]) => new Statement(strings, parts, send);
  return { sent, sql };
}

test('values are numbered through all parts, and a part may stand in several places', async () => {
  const { sent, sql } = noted();
  const above = sql`height > ${5}`;
  await sql`select ${sql`a, ${'x'}::text`} from t where ${above} and (${above} or place = ${[1, 2]}) ${sql``}`;
  expect(sent).toEqual([
    {
      text: 'select a, $1::text from t where height > $2 and (height > $3 or place = $4) ',
      values: ['x', 5, 5, [1, 2]],
      simple: false,
    },
  ]);
});

test('a statement is sent when it is waited for, and once', async () => {
  const { sent, sql } = noted();
  const statement = sql`select 1`;
  expect(sent).toEqual([]);
  await Promise.all([statement, statement, statement.finally(() => {})]);
  expect(sent).toHaveLength(1);
});

test('names are quoted, and text of the program is put in as it is', async t => {
  const { sql } = await testDatabase(t);
  await sql`create table ${sql('odd " name')} (n int)`;
  await sql.unsafe('insert into "odd "" name" values (1); insert into "odd "" name" values (2)');
  const rows = await sql<{ n: number }[]>`
    select n from ${sql('odd " name')} where n > ${0}::int and ${sql.unsafe('true')} order by n
  `;
  expect([...rows]).toEqual([{ n: 1 }, { n: 2 }]);
  expect(rows.count).toBe(2);
  const deleted = await sql.begin(tx => tx`delete from ${tx('odd " name')} where n = ${2}`);
  expect(deleted.count).toBe(1);
  await expect(sql`select nothing`).rejects.toThrow('column "nothing" does not exist');
  expect(await sql`select nothing`.catch(error => error.code)).toBe('42703');
});
