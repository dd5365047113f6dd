import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { readRoutes, urlOf } from '../../../bench/support/list-routes.ts';
import type { Sample } from '../../../bench/support/samples.ts';
import type { OpenApi, Operation } from '../../../src/api/docs/openapi.ts';
import { printOpenApi } from '../../../src/commands/openapi.ts';
import { type SampleApi, sampleApi } from '../../support/sample-api.ts';

const document = JSON.parse(await printOpenApi()) as OpenApi;

type Named = { method: string; path: string; operation: Operation };
const operations: Named[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

/** Routes that are no part of the API: pages, checks, and ways from old addresses. */
const unlisted = [
  /^\/$/,
  /^\*$/,
  /^\/\*$/,
  /^\/(docs|docs\/plain|openapi\.json|schemas\/\{\}|healthz|readyz)$/,
  /^\/(mcp|llms\.txt|docs\/(guides\/)?[a-z]+\.md)$/,
  /^\/extended\/v1\/status$/,
  /^\/chainhooks\/v1(\/.*)?$/,
  /^\/metadata(\/(ft|nft|sft|search)(\/.*)?)?$/,
  /^\/extended\/v1\/pox[234]_events\*?$/,
];

const keyed = 'needs a key that may have chainhooks';

/** Examples that find nothing on the generated chain, and answers of names are 400 then; each with why. */
const nothing: Record<string, string> = {
  '/signer-metrics/v1/block_proposals/{block_hash}': 'no messages of signers on the chain',
  '/signer-metrics/v1/cycles/{cycle_number}/signers/{signer_key}': 'no signer set on the chain',
  '/extended/v1/names/{name}': 'no names on the chain',
  '/extended/v1/namespaces/{namespace}': 'no names on the chain',
  '/v1/names/{name}': 'no names on the chain',
  '/v1/names/{name}/zonefile': 'no names on the chain',
  '/v1/names/{name}/zonefile/{zoneFileHash}': 'no names on the chain',
  '/v1/namespaces/{tld}/names': 'no names on the chain',
  '/v2/prices/names/{name}': 'no node to ask',
  '/extended/v3/transactions/{tx_id}/proof': 'no node to ask',
  '/bns/v2/names/{name}': 'no names on the chain',
  '/bns/v2/resolve-name/{name}': 'no names on the chain',
  '/extended/v1/microblock/{hash}': 'no microblocks since Nakamoto',
  '/extended/v2/pox/cycles/{cycle_number}': 'no signer votes on the chain',
  '/extended/v2/pox/cycles/{cycle_number}/signers': 'no signer votes on the chain',
  '/extended/v2/pox/cycles/{cycle_number}/signers/{signer_key}': 'no signer votes on the chain',
  '/extended/v2/pox/cycles/{cycle_number}/signers/{signer_key}/stackers': 'no signer votes on the chain',
  '/extended/v3/staking/bonds/{bond_index}': 'no pox-5 on the chain',
  '/extended/v3/staking/bonds/{bond_index}/allowlist/{principal}': 'no pox-5 on the chain',
  '/extended/v3/staking/bonds/{bond_index}/registrations/{principal}': 'no pox-5 on the chain',
  '/extended/v3/staking/cycles/{cycle_number}/signers': 'no pox-5 on the chain',
  '/extended/v3/staking/signers/{principal}': 'no pox-5 on the chain',
  '/extended/v3/staking/signers/{principal}/events': 'no pox-5 on the chain',
  '/extended/v1/sbtc/deposits/{output}': 'no sBTC on the chain',
  '/extended/v1/sbtc/withdrawals/{request_id}': 'no sBTC on the chain',
  '/extended/v1/faucets/btc/{address}': 'faucets are closed',
  '/chainhooks': keyed,
  '/chainhooks/me': keyed,
  '/chainhooks/me/{uuid}': keyed,
  '/chainhooks/me/secret': keyed,
  '/metadata/v1/ft/{principal}': 'no tokens of a standard on the chain',
  '/metadata/v1/nft/{principal}/{token_id}': 'no tokens of a standard on the chain',
  '/metadata/v1/sft/{principal}/{token_id}': 'no tokens of a standard on the chain',
};

/** Examples that find nothing either, and are 400 then: clients know them so, or this chain has no addresses of mainnet. */
const refused = ['/extended/v3/transactions/{tx_id}/events', '/extended/v1/sbtc/principals/{principal}'];

/** A proof needs the header of its block from a node. */
const lacksNode = (body: string) => body.includes('PROOF_NODE_UNAVAILABLE');

/** Responses that are maps. */
const maps: ReadonlySet<string> = new Set(['/extended/v1/tx/multiple', '/extended/v2/smart-contracts/status']);

let api: SampleApi;
sampleApi(started => {
  api = started;
});

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>);
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('every operation has a unique name, a summary, a tag and responses', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { method, path, operation } of operations) {
    const where = `${method} ${path}`;
    expect(operation.operationId, where).toMatch(/^[a-z][a-z0-9_]+$/);
    expect(operation.summary, where).toBeTruthy();
    expect(operation.tags?.length, where).toBe(1);
    expect(operation.responses[200] ?? operation.responses[204], where).toBeDefined();
    const declared = (operation.parameters ?? []).filter(each => each.in === 'path').map(each => `{${each.name}}`);
    expect(declared.sort(), where).toEqual([...(path.match(/\{\w+\}/g) ?? [])].sort());
  }
});

test('it contains every route of the API', () => {
  const lines = api.app.printRoutes({ commonPrefix: false, includeHooks: false }).split('\n');
  const listed = new Map<string, object[]>();
  for (const [url, methods] of Object.entries(api.document.paths)) {
    const shape = url.replace(/\{\w+\}/g, '{}').replace(/(?<=.)\/$/, '');
    listed.set(shape, [...(listed.get(shape) ?? []), methods]);
  }
  const path: string[] = [];
  const missing: string[] = [];
  for (const line of lines) {
    const [, indent, text, methods] = /^([│ ]*)(?:├|└)── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (indent === undefined || text === undefined) continue;
    const depth = indent.length / 4;
    path.length = depth;
    path[depth] = text;
    if (methods === undefined) continue;
    // Parameters of the same place may have two names, which are printed together.
    const route = path
      .join('')
      .replace(/:\w+(\|:\w+)*/g, '{}')
      .replace(/(?<=.)\/$/, '');
    const known: Record<string, unknown> = Object.assign({}, ...(listed.get(route) ?? []));
    const wanted = methods.split(', ').filter(method => method !== 'HEAD' && method !== 'OPTIONS');
    if (wanted.length > 0 && !wanted.every(method => known?.[method.toLowerCase()])) missing.push(route);
  }
  expect(missing.filter(route => !unlisted.some(each => each.test(route)))).toEqual([]);
});

test('what must be given has an example', () => {
  const lacking = operations.flatMap(({ method, path, operation }) =>
    (operation.parameters ?? [])
      .filter(each => each.required && each.example === undefined)
      .map(each => `${method} ${path} ${each.name}`),
  );
  expect(lacking).toEqual([]);
  // Rosetta's documents come with bodies of their own; a transaction is bytes.
  const posted = operations.filter(({ path }) => !path.startsWith('/rosetta/') && path !== '/v2/transactions');
  for (const { path, operation } of posted) {
    if (operation.requestBody)
      expect(operation.requestBody.content['application/json'], path).toHaveProperty('example');
  }
});

test('the example of a body is taken', async () => {
  const url = '/extended/v1/fee_rate/';
  const { example } = api.document.paths[url]!.post!.requestBody!.content['application/json']!;
  const answer = await api.app.inject({ method: 'POST', url, payload: example as object });
  expect([answer.statusCode, answer.json()]).toEqual([200, { fee_rate: 400 }]);
});

test('the response to the example of each operation fits its schema', async () => {
  const wrong: string[] = [];
  // A stream of events has no end: `test/stream` reads it.
  for (const route of readRoutes(api.document).filter(({ path }) => path !== '/extended/v1/stream')) {
    const examples = Object.fromEntries(
      (route.operation.parameters ?? []).flatMap(({ name, example }) =>
        example === undefined ? [] : [[name, [example].flat().map(String).join(',')]],
      ),
    );
    // Literally first; then with ids and names that this chain has, in place of those of mainnet.
    const literal = literalUrl(route.path, route.operation);
    const first = await api.app.inject(literal);
    const { statusCode: status } = first;
    if (
      (status >= 500 && !lacksNode(first.body)) ||
      (status === 400 && !(route.path in nothing || refused.includes(route.path)))
    )
      wrong.push(`${status} ${literal} ${first.body.slice(0, 200)}`);
    const statuses = [];
    for (const sample of api.samples.slice(0, 6)) {
      const own = {
        ...examples,
        microblock_hash: examples.hash,
        reward_address: examples.address,
        ...sample,
        id: sample.tx_id,
      };
      const built = urlOf(route, own as Sample, queryOf(route.operation, own));
      if ('missing' in built) throw new Error(`${route.path} has no example of ${built.missing}`);
      const { statusCode, body } = await api.app.inject(built.url);
      statuses.push(statusCode);
      if (statusCode >= 500 && !lacksNode(body)) wrong.push(`${statusCode} ${built.url} ${body.slice(0, 200)}`);
      if (statusCode === 200) break;
    }
    const answered = statuses.includes(200);
    if (answered === route.path in nothing) wrong.push(`${route.path} ${statuses.join(' ')} ${literal}`);
  }
  // In tests, an answer that differs from its schema is a failure of the server.
  expect(wrong).toEqual([]);
});

test('every response that is JSON can be reduced to each of its fields', async () => {
  const wrong: string[] = [];
  let reduced = 0;
  for (const route of readRoutes(api.document).filter(({ path }) => path !== '/extended/v1/stream')) {
    const urls = api.samples.slice(0, 2).map(sample => urlOf(route, { ...sample, id: sample.tx_id } as Sample));
    for (const built of urls) {
      if ('missing' in built) continue;
      const { statusCode, headers, body } = await api.app.inject(built.url);
      if (statusCode !== 200 || !String(headers['content-type']).startsWith('application/json')) continue;
      const whole = JSON.parse(body) as Record<string, unknown>;
      // A map has the fields of its entries.
      if (Array.isArray(whole) || maps.has(route.path)) continue;
      const url = `${built.url}${built.url.includes('?') ? '&' : '?'}fields=`;
      const names = Object.keys(whole);
      const some = await api.app.inject(`${url}${names.slice(0, 2).join(',')}`);
      const expected = Object.fromEntries(Object.entries(whole).slice(0, 2));
      if (some.body !== JSON.stringify(expected)) wrong.push(`${url}${names.slice(0, 2)}: ${some.body.slice(0, 200)}`);
      const none = await api.app.inject(`${url}no_such_field`);
      if (none.statusCode !== 400) wrong.push(`${url}no_such_field: ${none.statusCode}`);
      reduced++;
      break;
    }
  }
  expect(wrong).toEqual([]);
  expect(reduced).toBeGreaterThan(100);
});

/** The optional parameters that have an example too. */
function queryOf(operation: Operation, values: Record<string, string | undefined>): Record<string, string> {
  const optional = (operation.parameters ?? []).filter(each => each.in === 'query' && !each.required);
  return Object.fromEntries(
    optional.flatMap(({ name, example }) => (example === undefined ? [] : [[name, values[name] ?? String(example)]])),
  );
}

/** The call that the document itself shows. */
function literalUrl(path: string, operation: Operation): string {
  const query = new URLSearchParams();
  let url = path;
  for (const { name, in: place, example } of operation.parameters ?? []) {
    if (example === undefined) continue;
    for (const value of [example].flat().map(String)) {
      if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value));
      else query.append(name, value);
    }
  }
  return query.size > 0 ? `${url}?${query}` : url;
}
