import { Pool } from 'undici';
import { beforeAll, expect, test } from 'vitest';
import type { OpenApi } from '../../../src/api/docs/openapi.ts';
import { type KnownValues, readKnownValues } from '../../support/contract/devnet-values.ts';
import { DocumentCheck, type DocumentedOperation, operationsOf } from '../../support/contract/document-check.ts';
import { type Asked, plainRequest } from '../../support/contract/plain-requests.ts';
import { devnetForFile } from '../../support/sdk.ts';

const AT_ONCE = 50;

/** Blocks arrive all the time, so that responses are cached, dropped and made again while they are requested. */
const devnet = devnetForFile({ blockSeconds: 1, blocks: 30 });

let document: OpenApi;
let known: KnownValues;
let pool: Pool;
beforeAll(async () => {
  document = await devnet.get<OpenApi>('/openapi.json');
  known = await readKnownValues(devnet.get);
  pool = new Pool(devnet.url, { connections: AT_ONCE });
  return () => pool.close();
});

async function send({ method, url, type, body }: Asked) {
  const response = await pool.request({
    method: method as 'GET',
    path: url,
    body: body ?? null,
    headers: type === undefined ? {} : { 'content-type': type },
  });
  const text = await response.body.text();
  return { status: response.statusCode, type: String(response.headers['content-type'] ?? ''), body: text };
}

/** What is wrong with the responses to requests that are sent at once, each difference with how often it was seen. */
async function problemsOf(check: DocumentCheck, operation: DocumentedOperation, requests: Asked[]): Promise<string[]> {
  const responses = await Promise.all(requests.map(send));
  const isRosetta = operation.path.startsWith('/rosetta/');
  const problems = responses.flatMap(response => {
    // Clients of Rosetta read errors from status 500 only.
    const failed = response.status >= 500 && !(isRosetta && response.status === 500);
    const problem = failed ? `status ${response.status} ${response.body}` : check.problemOf(operation, response);
    return problem === undefined ? [] : [problem];
  });
  const distinct = [...new Set(problems)].slice(0, 3);
  return distinct.map(problem => {
    const count = problems.filter(each => each === problem).length;
    return `${operation.method} ${requests[0]!.url}: ${count} of ${requests.length}: ${problem}`;
  });
}

/** The same request under another URL, so that no cached response fits it. */
const uncached = (asked: Asked, index: number): Asked => ({
  ...asked,
  url: `${asked.url}${asked.url.includes('?') ? '&' : '?'}uncached=${index}`,
});

test('every operation, asked 50 times at once, uncached and cached, sends whole responses as declared', async () => {
  const check = new DocumentCheck(document);
  const operations = operationsOf(document);
  expect(operations.length).toBeGreaterThan(200);
  const problems: string[] = [];
  for (const operation of operations) {
    const asked = plainRequest(operation, known);
    const requests = Array.from({ length: AT_ONCE }, (_, index) => uncached(asked, index));
    problems.push(...(await problemsOf(check, operation, requests)));
    problems.push(...(await problemsOf(check, operation, Array(AT_ONCE).fill(asked))));
  }
  expect(problems).toEqual([]);
});
