import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJsonDocument } from '../../src/chain/tokens/json-document.ts';
import { parseJson5 } from '../../src/chain/tokens/json5.ts';
import { mergeLocalized, readTokenJson, type TokenJson } from '../../src/chain/tokens/token-json.ts';

function read(json: unknown, id = 7n, localized = false): Omit<TokenJson, 'raw'> | { problem: string } {
  const found = readTokenJson(json, id, localized);
  if ('problem' in found) return found;
  const { raw, ...fields } = found;
  expect(raw).toBe(json);
  return fields;
}

test('a document by the standard is read', () => {
  const json = {
    sip: 16,
    name: 'Rock #{id}',
    description: 'A rock',
    image: 'ipfs://x/{id}.png',
    attributes: [{ trait_type: 'level', value: 3, display_type: 'number' }],
    properties: { collection: 'Rocks', id: '{id}', nested: [{ a: '{ID}' }] },
    localization: { uri: 'ipfs://x/{locale}.json', default: 'en', locales: ['en', 'es-MX', 'en', '../x', 5] },
  };
  expect(read(json)).toEqual({
    name: 'Rock #7',
    description: 'A rock',
    image: 'ipfs://x/7.png',
    attributes: json.attributes,
    properties: { collection: 'Rocks', id: '7', nested: [{ a: '7' }] },
    localization: { uri: 'ipfs://x/{locale}.json', default: 'en', locales: ['en', 'es-MX'] },
  });
});

test.each([
  [{ image: 'a', imageUrl: 'b' }, 'a'],
  [{ image: '', imageUrl: 'b' }, 'b'],
  [{ image: 5, image_url: 'c' }, 'c'],
  [{ image_uri: 'd' }, 'd'],
  [{ image_canonical_uri: 'e' }, 'e'],
  [{ properties: { image_data: 'f' }, image_data: 'g' }, 'f'],
  [{ properties: { image_data: { type: 'string', value: 'h' } } }, 'h'],
  [
    { image_data: '<svg xmlns="x"/>' },
    `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="x"/>').toString('base64')}`,
  ],
])('the image of %j is %s', (json, image) => {
  expect(read(json)).toMatchObject({ image });
});

test('attributes are judged one by one, and empty values are values', () => {
  const good = [0, false, '', 'x', [1]].map(value => ({ trait_type: 't', value }));
  const bad = [null, 5, 'x', {}, { trait_type: 1, value: 1 }, { trait_type: 't' }, { trait_type: 't', value: null }];
  expect(read({ name: 'n', attributes: [...bad, ...good] })).toEqual({ name: 'n', attributes: good });
  const odd = { trait_type: 't', value: 1, display_type: 5 };
  expect(read({ name: 'n', attributes: [odd] })).toEqual({ name: 'n', attributes: [{ trait_type: 't', value: 1 }] });
  expect(read({ name: 'n', attributes: bad })).toEqual({ name: 'n' });
});

test('fields of a wrong type are left out and stay in the raw document', () => {
  const json = { name: { a: 1 }, description: 'd', image: [], attributes: {}, properties: [], localization: 5 };
  expect(read(json)).toEqual({ description: 'd' });
});

test('what is no metadata is refused', () => {
  for (const json of [null, 5, 'text', [], [{ name: 'x' }]]) expect(read(json)).toHaveProperty('problem');
  expect(read({ error: 'not found' })).toHaveProperty('problem');
  expect(read({ sip: 16 }, 1n, true)).toEqual({});
  expect(read({ name: 'x'.repeat(2000) })).toHaveProperty('problem');
});

test('a document cannot grow by its placeholders', () => {
  const name = '{id}'.repeat(200);
  expect(read({ name }, 2n ** 127n)).toEqual({ name });
});

test('a localized document overrides texts and single properties, and replaces attributes', () => {
  const base = readTokenJson(
    {
      ...{ name: 'Rock', description: 'd', image: 'i', attributes: [{ trait_type: 'a', value: 1 }] },
      properties: { artist: 'x', place: 'y' },
      localization: { uri: '{locale}', default: 'en', locales: ['es'] },
    },
    1n,
  ) as TokenJson;
  const raw = { sip: 16, name: 'Roca', attributes: [{ trait_type: 'b', value: 2 }], properties: { place: 'z' } };
  expect(mergeLocalized(base, readTokenJson(raw, 1n, true) as TokenJson)).toEqual({
    ...base,
    name: 'Roca',
    attributes: [{ trait_type: 'b', value: 2 }],
    properties: { artist: 'x', place: 'z' },
    raw,
  });
});

test('JSON5 is read where JSON fails', () => {
  const text = `\ufeff// a comment
  { name: 'It\\'s', "list": [1, .5, +2, -0x1F, 1e3,], /* more */ 'multi': 'a\\\nb', $k: null, t: true, i: Infinity, }`;
  expect(readJsonDocument(text)).toEqual({
    value: { name: "It's", list: [1, 0.5, 2, -31, 1000], multi: 'ab', $k: null, t: true, i: null },
  });
});

test.each([
  '',
  '{',
  '[1 2]',
  "{'a' 1}",
  '{a:1}}',
  '"unclosed',
  '{"a": undefined}',
  '/* open',
  '01x',
  '{"a":"\\u12"}',
  '<html>',
  'Not found',
])('%j is not a document', text => {
  expect(readJsonDocument(text)).toHaveProperty('problem');
});

test('deep and crowded documents are refused', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(readJsonDocument(deep(30))).toHaveProperty('value');
  for (const levels of [40, 400_000]) expect(readJsonDocument(deep(levels))).toHaveProperty('problem');
  expect(readJsonDocument(`${deep(400_000)},`)).toHaveProperty('problem');
  expect(readJsonDocument(JSON.stringify(Array(30_000).fill(1)))).toHaveProperty('problem');
  const keys = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, 1]));
  expect(readJsonDocument(JSON.stringify(keys))).toHaveProperty('problem');
});

test('keys of prototypes and texts that a database refuses do no harm', () => {
  for (const quote of ['"', "'"]) {
    const read = readJsonDocument(
      `{"name": ${quote}a\\u0000b\\ud800${quote}, "__proto__": {"polluted": 1}, "constructor": {"prototype": 1}, "e": 1e999}`,
    );
    expect(read).toEqual({ value: { name: 'a\ufffdb\ufffd', constructor: { prototype: 1 }, e: null } });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }
});

/** What JSON can say, without the texts and numbers that are changed. */
const jsonValue = fc.jsonValue({ maxDepth: 8 }).map(value => JSON.parse(JSON.stringify(value)) as unknown);

test('JSON5 reads all JSON as JSON does', () => {
  fc.assert(
    fc.property(jsonValue, value => {
      expect(parseJson5(JSON.stringify(value, null, 1))).toEqual(withoutProto(value));
    }),
  );
});

test('any document is read without an error, and the same way twice', () => {
  const fields = fc.constantFrom(
    'name',
    'image',
    'attributes',
    'properties',
    'localization',
    'image_data',
    'trait_type',
  );
  const object = fc.dictionary(fc.oneof(fields, fc.string()), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 8 });
  fc.assert(
    fc.property(object, fc.bigInt(0n, 2n ** 128n - 1n), (json, id) => {
      const read = readJsonDocument(JSON.stringify(json));
      if ('problem' in read) return;
      const token = readTokenJson(read.value, id);
      if ('problem' in token) return;
      // What can be stored stays what it is.
      expect(JSON.parse(JSON.stringify(token))).toEqual(token);
      expect(readJsonDocument(JSON.stringify(read.value))).toEqual(read);
    }),
  );
});

test('no text makes the reader fail in another way', () => {
  const piece = fc.oneof(
    fc.constantFrom('{', '}', '[', ']', ',', ':', '"', "'", '\\', '//', '/*', '*/', '\n', '0x'),
    fc.string(),
  );
  fc.assert(fc.property(fc.array(piece), pieces => void readJsonDocument(pieces.join(''))));
});

function withoutProto(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProto);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutProto(item)]));
}
