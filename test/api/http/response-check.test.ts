import Fastify from 'fastify';
import { type TSchema, Type } from 'typebox';
import { expect, test } from 'vitest';
import { checkResponses } from '../../../src/http/validation/response-check.ts';

/** What a route with this schema does with a value: its status, and the reason if it is refused. */
async function send(schema: TSchema, value: unknown): Promise<[number, string]> {
  const app = Fastify();
  app.setSerializerCompiler(checkResponses);
  app.get('/it', { schema: { response: { 200: schema } } }, async () => value);
  const { statusCode, body } = await app.inject('/it');
  await app.close();
  return [statusCode, statusCode === 200 ? body : JSON.parse(body).message];
}

const Coin = Type.Object({ kind: Type.Literal('coin'), amount: Type.String(), memo: Type.Optional(Type.String()) });
const Name = Type.Object({ kind: Type.Literal('name'), owner: Type.Union([Type.String(), Type.Null()]) });
const Page = Type.Object({ results: Type.Array(Type.Union([Coin, Name])) });

test('what the schema declares is sent as it is', async () => {
  const value = {
    results: [
      { kind: 'coin', amount: '1' },
      { kind: 'name', owner: null },
    ],
  };
  expect(await send(Page, value)).toEqual([200, JSON.stringify(value)]);
});

test.each([
  ['another type', { results: [{ kind: 'coin', amount: 1 }] }],
  ['a missing key', { results: [{ kind: 'coin' }] }],
  ['an undeclared key', { results: [], total: 1 }],
  ['an undeclared key in one of several shapes', { results: [{ kind: 'name', owner: 'a', amount: '1' }] }],
])('%s is refused with its place', async (_, value) => {
  const [status, message] = await send(Page, value);
  expect([status, message]).toEqual([500, expect.stringMatching(/^GET \/it 200: /)]);
});

test('an object may have keys of a pattern, and any keys only where its schema says so', async () => {
  const balances = Type.Record(Type.String(), Type.Object({ balance: Type.String() }));
  expect(await send(balances, { a: { balance: '1' } })).toEqual([200, '{"a":{"balance":"1"}}']);
  expect((await send(balances, { a: { balance: '1', more: 1 } }))[0]).toBe(500);
  expect(await send(Type.Object({}, { additionalProperties: true }), { any: 1 })).toEqual([200, '{"any":1}']);
  expect(await send(Type.Object({ detail: Type.Unknown() }), { detail: { any: 1 } })).toEqual([
    200,
    '{"detail":{"any":1}}',
  ]);
});
