import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ReadRoute, readRoutes, urlOf } from '../../../../bench/support/list-routes.ts';
import type { Sample } from '../../../../bench/support/samples.ts';
import { type SampleApi, sampleApi } from '../../../support/sample-api.ts';

/** Values that nobody means, and some that are wrong for most parameters only. */
const junk: Record<string, string> = {
  'a word': 'abc',
  fraction: '1.5',
  'beyond every number': '1e999',
  'not a number': 'NaN',
  negative: '-1',
  'beyond 32 bits': '2147483648',
  'beyond 53 bits': '9007199254740993',
  'beyond 64 bits': '99999999999999999999',
  'over-long': 'a'.repeat(4000),
  'over-long digits': '9'.repeat(4000),
  NUL: '\u0000',
  'NUL inside': 'a\u0000b',
  injection: "' or 1=1 --",
  'second statement': "'; drop table blocks; --",
  script: '<script>alert(1)</script>',
  'way up': '../../etc/passwd',
  emoji: '\u{1F600}',
  template: `\${7*7}`,
  'half a hash': '0xab',
  'hex that is none': `0x${'zz'.repeat(32)}`,
  array: '[1]',
  object: '{"a":1}',
  blank: ' ',
};

/** Sent as they stand: what they decode to is broken. */
const broken: Record<string, string> = { 'broken escape': '%zz', 'no UTF-8': '%ff%fe', 'lone continuation': '%80' };

/** Bad values as they are sent, with the text that they decode to, if any. */
const badValues = (): (readonly [string, string | undefined])[] => [
  ...Object.values(junk).map(value => [encodeURIComponent(value), value] as const),
  ...Object.values(broken).map(value => [value, undefined] as const),
];

const partOf = <T>(list: readonly T[], step: number, turn: number) => list.filter((_, i) => (i + turn) % step === 0);

/** Where the samples have no value; nothing on the chain has to have these. */
const others: Record<string, string> = {
  q: '0x12345678',
  name: 'alice.btc',
  tld: 'btc',
  namespace: 'btc',
  id: `0x${'ab'.repeat(32)}`,
  blockchain: 'stacks',
  zoneFileHash: 'ab'.repeat(20),
  cycle_number: '1',
  signer_key: `0x02${'ab'.repeat(32)}`,
  bond_index: '0',
  output: `0x${'ab'.repeat(32)}:0`,
  request_id: '1',
  network: 'mainnet',
  timestamp: '1760000000',
};

/** Texts that may stand for something else, and find nothing: by parameter, or by path and parameter. */
const freeText: Record<string, string> = {
  q: 'part of any name',
  function_name: 'any text may be the name of a function',
  function: 'any word may be the name of a function',
  min_amount: 'any number of 39 digits may be an amount',
  token: 'a token that nobody holds has no holders and no balance',
  contract_id: 'a contract that nobody deployed has no logs and no events',
  name: 'a name that nobody has has no subdomains, and is said to be unavailable with the reason',
  tld: 'the price of a namespace depends on its text alone',
  value: 'hex of any length is the value of some token',
  topic: 'any text may be the kind of a print',
  symbol: 'any text may be the symbol of a token',
  locale: 'any text may be a locale',
  cursor: 'names and numbers are cursors of some lists',
  at_block: 'names of a block that nobody knows are none',
  '/v1/addresses/{blockchain}/{address} address': 'whatever is no address owns no names',
  '/extended/v2/blocks/{height_or_hash}/signer-signatures height_or_hash': 'a block that nobody knows has none',
  hash: 'what has no 0x is sent on to where it has',
  burn_block_hash: 'what has no 0x is sent on to where it has',
};

/** Sentences that clients know and that say what is wrong without the name of the parameter. */
const sentences: [RegExp, string][] = [
  [/^invalid STX address "/, 'the address is named instead'],
  [/is not a valid (Bitcoin or )?STX address/, 'the address is named instead'],
  [/^Invalid query parameter, not a valid principal$/, 'the one parameter of the path'],
  [/^Hex string is missing the "0x" prefix$|^Hex string is an odd|^Invalid hash characters$/, 'about hashes'],
  [/^Unexpected integer value for block height/, 'about until_block and at_block'],
  [/^Invalid (or missing )?(asset|principal)/, 'about tokens'],
  [/is not a valid url component$/, 'the part of the path is named instead'],
  [/^can not find 'address' or 'tx_id' in the request$/, 'another parameter is missing first'],
  [/^(No such|Invalid) (namespace|name)/, 'answers about names have their own words'],
  [/^(STX|sBTC|BTC) faucet is not available$/, 'closed before anything else is looked at'],
  [/^invalid 'event type'$/, 'about events'],
];

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
};
type Parameter = NonNullable<ReadRoute['operation']['parameters']>[number];

let api: SampleApi;

/** Each parameter gets every `step`-th of the bad values, another part of them than the parameter before it; then `requests` good ones. */
export function badInputTests({ step, requests }: { step: number; requests: number }): void {
  sampleApi(started => {
    api = started;
  });
  test('no value of any parameter causes a server error, and errors name the parameter', () => refuseBadValues(step));
  test('every field of a body and every parameter of a POST is looked at too', () => refuseBadBodies(step));
  test('every request that the document allows gets a response that the document describes', () =>
    answerGood(requests));
}

/** Without a key, chainhooks look at nothing else; `test/chainhooks/bad-input.test.ts` has one. */
const routesWithoutKeys = () => readRoutes(api.document).filter(({ path }) => !path.startsWith('/chainhooks/'));

/** Whether a value is a good one for a schema; blank counts as 0, as it always did. */
function fits(schema: Schema, text: string): boolean {
  if (schema.anyOf) return schema.anyOf.some(each => fits(each, text));
  if (schema.enum) return schema.enum.map(String).includes(text);
  if (schema.const !== undefined) return String(schema.const) === text;
  if (schema.type === 'array') return text.split(',').every(item => fits(schema.items ?? {}, item));
  if (schema.type === 'boolean') return text === 'true' || text === 'false';
  if (schema.type === 'integer' || schema.type === 'number') {
    const number = Number(text);
    const whole = schema.type === 'number' || number % 1 === 0;
    return (
      Number.isFinite(number) && whole && number >= (schema.minimum ?? -1e308) && number <= (schema.maximum ?? 1e308)
    );
  }
  return true;
}

/** Whether the schema alone says what is right: anything else must be refused by name. */
const isStrict = (schema: Schema): boolean =>
  schema.anyOf
    ? schema.anyOf.every(isStrict)
    : schema.type === 'array'
      ? isStrict(schema.items ?? {})
      : schema.enum !== undefined ||
        schema.const !== undefined ||
        ['integer', 'number', 'boolean'].includes(String(schema.type));

/** The route with a value in place of one parameter. */
function urlWith(route: ReadRoute, { name, in: place }: Parameter, encoded: string): string {
  const mark = '0123456789';
  const marked: ReadRoute =
    place === 'query'
      ? route
      : {
          path: route.path.replace(`{${name}}`, mark),
          operation: { ...route.operation, parameters: route.operation.parameters!.filter(each => each.name !== name) },
        };
  const current = route.path.startsWith('/extended/v3/staking/cycles/') ? { cycle_number: 'current' } : {};
  const sample = { ...others, ...current, ...api.samples[0] } as Sample;
  const built = urlOf(marked, sample, place === 'query' ? { [name]: mark } : {});
  if ('missing' in built) throw new Error(`${route.path} needs a value for ${built.missing}`);
  return built.url.replace(mark, encoded);
}

/** What is wrong with an answer to a value, if anything. */
function judge(
  path: string,
  url: string,
  status: number,
  body: string,
  { name, schema }: Parameter,
  value: string | undefined,
) {
  const free = name in freeText || `${path} ${name}` in freeText;
  const strict = isStrict(schema as Schema);
  const good = value !== undefined && fits(schema as Schema, value);
  const brief = `${status} ${url.slice(0, 120)} ${body.slice(0, 160)}`;
  if (status >= 500) return `not the caller's fault? ${brief}`;
  if (status < 400) {
    if (good && (strict || free)) return undefined;
    // What cannot be decoded stays as it is and is a text like any other.
    if (value === undefined && !strict && free) return undefined;
    return `accepted: ${brief}`;
  }
  if (status === 404 || status === 414)
    return strict && !good && status === 404 ? `not refused by name: ${brief}` : undefined;
  const parsed = JSON.parse(body) as { message?: string; error?: string };
  const message = parsed.message ?? parsed.error ?? '';
  if (message.includes(name) || sentences.some(([known]) => known.test(message))) return undefined;
  return `not named: ${brief}`;
}

async function refuseBadValues(step: number): Promise<void> {
  const wrong: string[] = [];
  let asked = 0;
  let turn = 0;
  // A stream of events has no end: its pages have the same parameters.
  for (const route of routesWithoutKeys().filter(({ path }) => path !== '/extended/v1/stream')) {
    for (const parameter of route.operation.parameters ?? []) {
      if (parameter.in === 'header') continue;
      const values = partOf(badValues(), step, turn++);
      for (const [encoded, value] of values) {
        const url = urlWith(route, parameter, encoded);
        const { statusCode, body } = await api.app.inject(url);
        asked++;
        const found = judge(route.path, url, statusCode, body, parameter, value);
        if (found) wrong.push(found);
      }
    }
  }
  expect(asked).toBeGreaterThan(3000 / step);
  expect(wrong).toEqual([]);
}

async function refuseBadBodies(step: number): Promise<void> {
  const wrong: string[] = [];
  let turn = 0;
  const bodies = [
    '{',
    '[]',
    '"text"',
    '1',
    'null',
    '{"address":1}',
    '{"address":["a"]}',
    '{"address":{"a":1}}',
    '{"__proto__":1}',
  ];
  for (const [path, { post }] of Object.entries(api.document.paths)) {
    if (!post) continue;
    const ask = async (url: string, body?: string, type = 'application/json') => {
      const headers = body === undefined ? {} : { 'content-type': type };
      const answer = await api.app.inject({ method: 'POST', url, headers, ...(body !== undefined && { body }) });
      if (answer.statusCode >= 500) wrong.push(`${answer.statusCode} ${url} ${body} ${answer.body}`);
    };
    for (const { name } of post.parameters ?? [])
      for (const [encoded] of partOf(badValues(), step, turn++)) await ask(`${path}?${name}=${encoded}`);
    for (const body of bodies) await ask(path, body);
    await ask(path, 'a'.repeat(200_000));
    await ask(path, '\u0000', 'application/octet-stream');
    await ask(path, 'address=%00&address=b', 'application/x-www-form-urlencoded');
  }
  expect(wrong).toEqual([]);
}

/** Good values of a parameter, as its schema has them; of a text, those of a sample. */
function goodValues(schema: Schema, known: readonly string[]): fc.Arbitrary<string> | undefined {
  if (schema.anyOf) {
    const each = schema.anyOf.flatMap(one => goodValues(one, known) ?? []);
    return each.length > 0 ? fc.oneof(...each) : undefined;
  }
  if (schema.enum) return fc.constantFrom(...schema.enum.map(String));
  if (schema.const !== undefined) return fc.constant(String(schema.const));
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false');
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum: min = -5, maximum: max = 2_147_483_647 } = schema;
    return fc.oneof(fc.integer({ min, max: Math.min(max, min + 60) }), fc.constantFrom(min, max)).map(String);
  }
  if (schema.type === 'array') {
    const items = goodValues(schema.items ?? {}, known);
    return items && fc.uniqueArray(items, { minLength: 1, maxLength: 3 }).map(list => list.join(','));
  }
  return known.length > 0 ? fc.constantFrom(...known) : undefined;
}

async function answerGood(requests: number): Promise<void> {
  const routes = routesWithoutKeys();
  // The chain has no microblocks: nobody has this hash.
  const none = { microblock_hash: `0x${'ab'.repeat(32)}` };
  const samples = api.samples.map(sample => ({ ...others, ...none, ...sample }) as Sample);
  const statuses = new Map<number, number>();
  // An answer that differs from its schema is a failure here: every one of them is checked before it is sent.
  const request = fc.constantFrom(...routes).chain(route => {
    const optional = (route.operation.parameters ?? []).filter(
      ({ in: place, required }) => place === 'query' && !required,
    );
    const query: Record<string, fc.Arbitrary<string>> = {};
    for (const { name, schema } of optional) {
      const known = samples.flatMap(sample => sample[name as keyof Sample] ?? []);
      const values = goodValues(schema as Schema, known);
      if (values) query[name] = values;
    }
    return fc.record({
      route: fc.constant(route),
      sample: fc.constantFrom(...samples),
      query: fc.record(query, { requiredKeys: [] }),
      version: fc.constantFrom(undefined, '8', '9', '9.3'),
    });
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ route, sample, query, version }) => {
      const current = route.path.startsWith('/extended/v3/staking/cycles/') ? { cycle_number: 'current' } : {};
      const built = urlOf(route, { ...sample, ...current } as Sample, query as Record<string, string>);
      if ('missing' in built) throw new Error(`${route.path} needs a value for ${built.missing}`);
      const headers = version === undefined ? {} : { 'x-api-version': version };
      const { statusCode, body } = await api.app.inject({ url: built.url, headers });
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      // No node is here that could give the header of the block.
      const lacksNode = body.includes('PROOF_NODE_UNAVAILABLE');
      if (statusCode >= 500 && !lacksNode) throw new Error(`${statusCode} ${built.url} ${body.slice(0, 300)}`);
    }),
    { numRuns: requests, seed: 22 },
  );
  expect(statuses.get(200)).toBeGreaterThan(requests * 0.45);
}
