import type { OpenApi } from '../../../src/api/docs/openapi.ts';
import { type KnownValues, readKnownValues } from './devnet-values.ts';
import { DocumentCheck, type DocumentedOperation, operationsOf } from './document-check.ts';
import { plainRequest } from './plain-requests.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Sent = { status: number; type: string; body: string };
type Send = (request: { method: string; url: string; type?: string; body?: string }) => Promise<Sent>;

/** Examples of responses by operation id, and why an operation has none. */
export type ResponseExamples = { examples: Record<string, Json>; lacking: Record<string, string> };

const MAX_ITEMS = 2;
const MAX_KEYS = 40;
const MAX_TEXT = 400;
/** The clock that messages of the devnet begin at; what the service takes from its own clock is shown as this. */
const BEGIN = 1_760_000_000;
const FAR_SECONDS = 10 * 86_400;

/** Operations whose responses depend on the process: times, sizes, limits. They are no facts of the chain that an example could show. */
const ofTheProcess = /^\/extended\/v1\/(status|history|stream|faucets)(\/|$)|^\/extended\/v3\/faucets|\/diagnosis$/;

/** Asks for something of this chain with every operation; what arrives is shortened, and must still fit its schema. */
export async function makeExamples(document: OpenApi, send: Send, more: KnownValues = {}): Promise<ResponseExamples> {
  const get = async <T>(url: string) => JSON.parse((await send({ method: 'GET', url })).body) as T;
  const known = { ...(await readKnownValues(get)), ...more };
  const check = new DocumentCheck(document);
  const found: ResponseExamples = { examples: {}, lacking: {} };
  for (const operation of operationsOf(document)) {
    const id = operation.operation.operationId!;
    const lack = (reason: string) => {
      found.lacking[id] = reason;
    };
    if (ofTheProcess.test(operation.path)) lack('depends on the process');
    else {
      const sent = await send(plainRequest(operation, known));
      const example = exampleOf(check, operation, sent);
      if ('reason' in example) lack(example.reason);
      else found.examples[id] = example.value;
    }
  }
  return { examples: sorted(found.examples), lacking: sorted(found.lacking) };
}

function exampleOf(
  check: DocumentCheck,
  operation: DocumentedOperation,
  sent: Sent,
): { value: Json } | { reason: string } {
  if (sent.status !== 200) return { reason: `responds with ${sent.status} on this chain` };
  if (!sent.type.startsWith('application/json')) return { reason: `sends ${sent.type}` };
  const whole = steady(JSON.parse(sent.body) as Json);
  for (const value of [shortened(whole), whole]) {
    const problem = check.problemOf(operation, { ...sent, body: JSON.stringify(value) });
    if (problem === undefined) return { value };
  }
  throw new Error(`${operation.path}: the response does not fit its schema`);
}

const sorted = <T>(record: Record<string, T>) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

function shortened(value: Json): Json {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shortened);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_KEYS)
      .map(([key, item]) => [key, shortened(item)]),
  );
}

/** The value with every time of the clock of this machine replaced. */
function steady(value: Json): Json {
  if (typeof value === 'number')
    return isOfThisClock(value) ? BEGIN : isOfThisClock(value / 1000) ? BEGIN * 1000 : value;
  if (typeof value === 'string') return steadyText(value);
  if (Array.isArray(value)) return value.map(steady);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, steady(item)]));
}

/** A time as UTC text, or at the beginning of a cursor. */
function steadyText(text: string): string {
  const [, seconds, rest = ''] = /^(\d{10})(:.*)$/.exec(text) ?? [];
  if (seconds !== undefined && isOfThisClock(Number(seconds))) return `${BEGIN}${rest}`;
  const isTime = /^\d{4}-\d\d-\d\dT/.test(text) && isOfThisClock(Date.parse(text) / 1000);
  return isTime ? new Date(BEGIN * 1000).toISOString() : text;
}

const isOfThisClock = (seconds: number) =>
  Math.abs(seconds - Date.now() / 1000) < FAR_SECONDS && seconds > BEGIN + 86_400;
