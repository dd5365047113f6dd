import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { printSchemas } from '../../../src/commands/openapi.ts';
import { type SampleApi, sampleApi } from '../../support/sample-api.ts';

let api: SampleApi;
sampleApi(started => {
  api = started;
});

/** Gets a schema as a client does. */
async function load(path: string): Promise<AnySchemaObject> {
  const answer = await api.app.inject(path);
  expect([path, answer.statusCode]).toEqual([path, 200]);
  expect(answer.headers['content-type']).toBe('application/schema+json; charset=utf-8');
  return answer.json();
}

test('every shape of the document is served as a JSON Schema of its own', async () => {
  const names = Object.keys(api.document.components!.schemas!);
  expect(names.length).toBeGreaterThan(200);
  for (const name of names) {
    const path = `/schemas/${name}.json`;
    const schema = await load(path);
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: path, title: name });
    for (const [, target] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g))
      expect(names.map(each => `/schemas/${each}.json`)).toContain(target);
  }
});

test('an unknown shape is 404', async () => {
  for (const path of [
    '/schemas/Nothing.json',
    '/schemas/Block',
    '/schemas/constructor.json',
    '/schemas/..%2fBlock.json',
  ])
    expect([path, (await api.app.inject(path)).statusCode]).toEqual([path, 404]);
});

test('responses fit the schemas that a validator fetches, and a forged one does not', async () => {
  // The words of OpenAPI for people are no keywords of JSON Schema.
  const ajv = new Ajv2020({ loadSchema: load, strict: false, validateFormats: false });
  const cases = [
    ['Transaction', `/extended/v1/tx/${api.samples[0]!.tx_id}`],
    ['Block', '/extended/v1/block/by_height/3'],
    ['TransactionSummaryList', '/extended/v3/transactions'],
    ['ServerStatus', '/extended'],
  ] as const;
  for (const [name, url] of cases) {
    const validate = await ajv.compileAsync(await load(`/schemas/${name}.json`));
    const answer = (await api.app.inject(url)).json();
    expect([name, validate(answer), validate.errors]).toEqual([name, true, null]);
    expect([name, validate({ ...answer, ...Object.fromEntries(Object.keys(answer).map(key => [key, {}])) })]).toEqual([
      name,
      false,
    ]);
  }
});

test('the committed copies are current', async () => {
  const folder = new URL('../../../docs/schemas/', import.meta.url);
  const committed = Object.fromEntries(
    readdirSync(folder).map(name => [name, readFileSync(new URL(name, folder), 'utf8')]),
  );
  const wanted = JSON.parse(await printSchemas()) as Record<string, string>;
  expect(Object.keys(committed).sort()).toEqual(Object.keys(wanted).sort());
  const stale = Object.keys(wanted).filter(name => committed[name] !== wanted[name]);
  expect(stale, 'run `npm run check -- --fix` and commit docs/schemas').toEqual([]);
});
