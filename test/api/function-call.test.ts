import { int, ok, uint } from '@cairn-stacks/codec/clarity/build';
import { expect, test } from 'vitest';
import type { Sql } from '../../src/db/client.ts';
import type { CallReadOnly } from '../../src/node/read-only-call.ts';
import { callFunction } from '../../src/read/contracts/function-call-view.ts';

const address = 'ST10AGQRT8N6ABJ9TW5NNSP8K59QXNWB1HEGZX6Z0';
const contract = `${address}.pool`;
const abi = JSON.stringify({
  functions: [
    {
      name: 'quote',
      access: 'read_only',
      args: [
        { name: 'amount', type: 'uint128' },
        { name: 'limit', type: { optional: 'int128' } },
      ],
      outputs: { type: { response: { ok: 'uint128', error: 'none' } } },
    },
    { name: 'swap', access: 'public', args: [], outputs: { type: 'bool' } },
  ],
});
// The one statement of the view reads the interface.
const sql = (async () => [{ abi }]) as unknown as Sql;

const call = (body: Parameters<typeof callFunction>[3], callReadOnly?: CallReadOnly, name = 'quote') =>
  callFunction({ sql, callReadOnly }, contract, name, body);

test('arguments are read by name or in order, and an optional may be left out', async () => {
  const calls: unknown[] = [];
  const node: CallReadOnly = async (...given) => {
    calls.push(given);
    return { value: ok(uint(9)) };
  };
  const result = await call({ arguments: { amount: '5' }, sender: address }, node);
  expect(result).toEqual({
    result: { hex: '0x070100000000000000000000000000000009', repr: '(ok u9)' },
    type: '(response uint none)',
  });
  await call({ arguments: [5, -1] }, node);
  expect(calls).toEqual([
    [contract, 'quote', [uint(5), { type: 'none' }], address],
    [contract, 'quote', [uint(5), { type: 'some', value: int(-1) }], undefined],
  ]);
});

test('what cannot be called is refused with what is wrong', async () => {
  const rejected = (status: number, message: RegExp | string) => ({ status, message: expect.stringMatching(message) });
  const refused = async (body: Parameters<typeof call>[0], name?: string) =>
    await call(body, async () => ({ failed: 'Runtime(DivisionByZero)' }), name).catch(error => error);
  expect(await refused({}, 'nothing')).toMatchObject(rejected(404, 'no function nothing'));
  expect(await refused({}, 'swap')).toMatchObject(rejected(400, 'only read-only functions'));
  expect(await refused({})).toMatchObject(rejected(400, /^amount: expected a value/));
  expect(await refused({ arguments: [1] })).toMatchObject(rejected(400, 'these arguments: amount, limit'));
  expect(await refused({ arguments: { other: 1 } })).toMatchObject(rejected(400, 'these arguments: amount, limit'));
  expect(await refused({ arguments: { amount: 1 }, sender: 'me' })).toMatchObject(rejected(400, '`sender`'));
  expect(await refused({ arguments: { amount: 1 } })).toMatchObject(rejected(422, 'DivisionByZero'));
  expect(await call({ arguments: { amount: 1 } }, async () => undefined).catch(error => error)).toMatchObject(
    rejected(503, 'no node responded'),
  );
  expect(await call({ arguments: { amount: 1 } }).catch(error => error)).toMatchObject(rejected(503, 'configured'));
  const unknown = callFunction({ sql: (async () => []) as unknown as Sql, callReadOnly: undefined }, contract, 'a', {});
  expect(await unknown.catch(error => error)).toMatchObject(rejected(404, 'cannot find contract'));
});
