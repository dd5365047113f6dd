import { uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { tokenClasses } from '../chain/tokens/token-notification.ts';
import { type ReadValue, readText, readUint } from '../chain/tokens/token-values.ts';
import type { CallReadOnly } from '../node/read-only-call.ts';

/** What a contract said about a token. An absent key was not read; null means that the contract has no value. */
export type ChainFacts = {
  name?: string | null;
  symbol?: string | null;
  decimals?: number | null;
  supply?: bigint | null;
  uri?: string | null;
};

/** The facts that could be read, and why others could not; a transient failure may succeed later. */
export type TokenRead = { facts: ChainFacts; failure?: ReadFailure };
export type ReadFailure = { message: string; transient: boolean };

type Call = { name: string; args: ClarityValue[] };
type Outcome<T> = { value: T | null } | { failure: ReadFailure };

/** The largest number of decimals that clients can use. */
const maxDecimals = 2 ** 31 - 1;

/** Reads a token by the calls of its class; undefined if no node responded. */
export async function readToken(
  call: CallReadOnly,
  { principal, tokenClass, number }: { principal: string; tokenClass: number; number: bigint },
): Promise<TokenRead | undefined> {
  const args = tokenClass === tokenClasses.ft ? [] : [uint(number)];
  const read = <T>(name: string, parse: (value: ClarityValue) => ReadValue<T>) =>
    callFor(call, principal, { name, args }, parse);
  const isFungible = tokenClass === tokenClasses.ft;
  const counts = tokenClass !== tokenClasses.nft;
  const [uri, name, symbol, decimals, supply] = await Promise.all([
    read('get-token-uri', readText),
    isFungible ? read('get-name', readText) : undefined,
    isFungible ? read('get-symbol', readText) : undefined,
    counts ? read('get-decimals', readDecimals) : undefined,
    counts ? read('get-total-supply', readUint) : undefined,
  ]).catch(noNode);
  if (uri === undefined) return undefined;
  const outcomes = { uri, name, symbol, decimals, supply };
  const facts: Record<string, unknown> = {};
  const failures: ReadFailure[] = [];
  for (const [key, outcome] of Object.entries(outcomes)) {
    if (outcome === undefined) continue;
    if ('value' in outcome) facts[key] = outcome.value;
    // Wrapped tokens refuse to tell their supply: it is unknown, and the token is fine.
    else if (key === 'supply' && isFungible && !outcome.failure.transient) facts[key] = null;
    else failures.push(outcome.failure);
  }
  const [failure] = failures.sort((a, b) => Number(a.transient) - Number(b.transient));
  return { facts: facts as ChainFacts, ...(failure && { failure }) };
}

/** Reads the supply of a fungible token; undefined if no node responded. */
export async function readSupply(call: CallReadOnly, principal: string): Promise<TokenRead | undefined> {
  const [supply] = await Promise.all([
    callFor(call, principal, { name: 'get-total-supply', args: [] }, readUint),
  ]).catch(noNode);
  if (supply === undefined) return undefined;
  if ('value' in supply) return { facts: { supply: supply.value } };
  return supply.failure.transient ? { facts: {}, failure: supply.failure } : { facts: { supply: null } };
}

/** Reads the number of the last token of a collection; undefined if no node responded. */
export async function readLastTokenId(
  call: CallReadOnly,
  principal: string,
): Promise<{ last: bigint } | { failure: ReadFailure } | undefined> {
  const [last] = await Promise.all([callFor(call, principal, { name: 'get-last-token-id', args: [] }, readUint)]).catch(
    noNode,
  );
  if (last === undefined || 'failure' in last) return last;
  return { last: last.value ?? 0n };
}

class NoNode extends Error {}

/** Turns the rejection of any call without a node into an empty result. */
function noNode(error: unknown): [undefined, undefined, undefined, undefined, undefined] {
  if (error instanceof NoNode) return [undefined, undefined, undefined, undefined, undefined];
  throw error;
}

async function callFor<T>(
  call: CallReadOnly,
  principal: string,
  { name, args }: Call,
  parse: (value: ClarityValue) => ReadValue<T>,
): Promise<Outcome<T>> {
  const result = await call(principal, name, args);
  if (result === undefined) throw new NoNode('no node responded');
  if ('failed' in result) {
    const transient = result.failed.startsWith('Runtime') || result.failed.includes('NoSuchContract');
    return { failure: { message: `${name} failed: ${reasonOf(result.failed)}`, transient } };
  }
  const value = parse(result.value);
  if ('value' in value) return value;
  return { failure: { message: `${name} returned ${value.unexpected}`, transient: false } };
}

function readDecimals(value: ClarityValue): ReadValue<number> {
  const read = readUint(value);
  if ('unexpected' in read) return read;
  if (read.value !== null && read.value > maxDecimals) return { unexpected: 'a number that is out of range' };
  return { value: read.value === null ? null : Number(read.value) };
}

/** The cause that a node gives, as one line that the tables can store. */
const reasonOf = (cause: string) => cause.replace(/\p{Cc}+/gu, ' ').slice(0, 200);
