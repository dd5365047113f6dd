import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Pool } from 'undici';
import type { OpenApi } from '../../../src/api/docs/openapi.ts';
import type { KnownValues } from './devnet-values.ts';
import { DocumentCheck, type Received } from './document-check.ts';
import { type GeneratedRequest, generatedRequests } from './generated-requests.ts';

export type FuzzResult = {
  /** What was wrong, each with a request that shows it. */
  problems: string[];
  /** Number of responses by status. */
  statuses: Map<number, number>;
};

/** Requests that are on their way at once. */
const AT_ONCE = 8;

/** How often a request is sent that gets a 503: it says that the database may be back soon, as on a busy machine it is. */
const ATTEMPTS = 6;

/** Codes of Rosetta for a failure of the service and for a lost database; all others are the caller's, whatever their status. */
const ROSETTA_FAILURE = '"code":612,';
const ROSETTA_UNAVAILABLE = '"code":646,';

/** Sends requests that are made up from the document, and compares each response with it. */
export async function fuzz(
  pool: Pool,
  document: OpenApi,
  known: KnownValues,
  { requests, seed }: { requests: number; seed: number },
): Promise<FuzzResult> {
  const check = new DocumentCheck(document);
  const waiting = fc.sample(generatedRequests(document, known), { numRuns: requests, seed });
  const problems = new Map<string, string>();
  const statuses = new Map<number, number>();
  const work = async () => {
    for (let request = waiting.pop(); request !== undefined; request = waiting.pop()) {
      const response = await send(pool, request);
      const { method, url, headers, body, operation } = request;
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const problem = problemOf(check, request, response);
      if (problem === undefined) continue;
      const place = `${method} ${operation?.path ?? 'another method'}: ${problem}`;
      const shown = `${method} ${url.slice(0, 400)} ${JSON.stringify(headers)} ${shownBody(body)}`;
      problems.set(place, problems.get(place) ?? `${place}\n    for ${shown}\n    ${response.body.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { problems: [...problems.values()].sort(), statuses };
}

/** The response to a request; one that says that the database is lost only if it stays so. */
async function send(pool: Pool, { method, url, headers, body }: GeneratedRequest): Promise<Received> {
  for (let attempt = 1; ; attempt++) {
    const response = await pool.request({ method: method as 'GET', path: url, headers, body: body ?? null });
    const text = await response.body.text();
    const isLost = response.statusCode === 503 || (response.statusCode === 500 && text.includes(ROSETTA_UNAVAILABLE));
    if (isLost && attempt < ATTEMPTS) {
      await sleep(1000 * Number(response.headers['retry-after'] ?? 2));
      continue;
    }
    return { status: response.statusCode, type: String(response.headers['content-type'] ?? ''), body: text };
  }
}

function problemOf(
  check: DocumentCheck,
  { operation, url, headers }: GeneratedRequest,
  { status, type, body }: Received,
): string | undefined {
  if (url.startsWith('/rosetta/') && status === 500) {
    if ([ROSETTA_FAILURE, ROSETTA_UNAVAILABLE].some(code => body.includes(code))) return 'a failure of the service';
  } else if (status >= 500) return `status ${status}`;
  if (operation === undefined) return undefined;
  // The router refuses a long path before it is that of an operation.
  if (status === 414) return body.includes('"statusCode":414,') ? undefined : 'a 414 that does not say so';
  if (status === 304 && headers['if-none-match'] !== undefined && body === '') return undefined;
  return check.problemOf(operation, { status, type, body });
}

const shownBody = (body: string | Buffer | undefined): string =>
  body === undefined ? '' : (typeof body === 'string' ? body : body.toString('hex')).slice(0, 400);
