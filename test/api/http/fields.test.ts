import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { selectorOf } from '../../../src/http/fields.ts';

const block = Type.Object({ height: Type.Integer(), hash: Type.String() });
const schema = Type.Object({
  total: Type.Integer(),
  results: Type.Array(
    Type.Union([
      Type.Object({ kind: Type.Literal('a'), block: Type.Union([block, Type.Null()]), more: Type.Unknown() }),
      Type.Object({ kind: Type.Literal('b'), amount: Type.String() }),
    ]),
  ),
  tokens: Type.Record(Type.String(), Type.Object({ balance: Type.String(), sent: Type.String() })),
  notes: Type.Record(Type.String(), Type.Unknown()),
});
const value = {
  total: 2,
  results: [
    { kind: 'a', block: { height: 7, hash: '0x07' }, more: { x: 1, y: 2 } },
    { kind: 'a', block: null, more: 5 },
    { kind: 'b', amount: '3' },
  ],
  tokens: { 'SP1.t::t': { balance: '1', sent: '2' }, 'SP2.u::u': { balance: '3', sent: '4' } },
  notes: { one: { deep: true, more: 1 }, ['__proto__']: { deep: 1 } },
};

const pick = (fields: string | string[]) => selectorOf(fields, schema)(value);

test('fields select at any depth, through arrays, alternatives, nulls and maps', () => {
  expect(pick('total')).toEqual({ total: 2 });
  expect(pick('results.kind,total')).toEqual({ total: 2, results: [{ kind: 'a' }, { kind: 'a' }, { kind: 'b' }] });
  expect(pick(['results.amount', 'results.block.height'])).toEqual({
    results: [{ block: { height: 7 } }, { block: null }, { amount: '3' }],
  });
  expect(pick('tokens.sent')).toEqual({ tokens: { 'SP1.t::t': { sent: '2' }, 'SP2.u::u': { sent: '4' } } });
  // The schema does not say what notes have: any name is taken.
  expect(pick('notes.one.deep')).toEqual({ notes: { one: { deep: true } } });
  expect(pick('notes.__proto__')).toEqual({ notes: JSON.parse('{"__proto__":{"deep":1}}') });
  expect(pick('results.more.x')).toEqual({ results: [{ more: { x: 1 } }, { more: 5 }, {}] });
  // The whole of something includes its parts.
  for (const both of ['results,results.kind', 'results.kind,results'])
    expect(pick(both)).toEqual({ results: value.results });
  expect(selectorOf('height', Type.Array(block))([{ height: 1, hash: 'a' }])).toEqual([{ height: 1 }]);
});

test.for([
  ['size', 'fields: the response has no size; it has total, results, tokens, notes'],
  ['results.block.time', 'fields: the response has no results.block.time; results.block has height, hash'],
  ['total.x', 'fields: the response has no total.x; total has no fields'],
  ['tokens.none', 'fields: the response has no tokens.none; tokens has balance, sent'],
])('an unknown field is refused with what there is: %s', ([fields, message]) => {
  expect(() => pick(fields!)).toThrow(expect.objectContaining({ status: 400, message }));
});

test.for(['', ',', 'total,', 'a..b', '.a', 'a b', '*', 'x'.repeat(2001), `${'x'.repeat(65)}`])(
  'no list of names: %j',
  fields => {
    expect(() => pick(fields)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringMatching(/^fields must/) }),
    );
  },
);
