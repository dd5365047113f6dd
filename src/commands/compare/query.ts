import { LEFT_OUT, MEMPOOL, type Route } from './route.ts';
import { KINDS, type Subject } from './subject.ts';

/** One request that is sent to both APIs. */
export type Query = {
  /** Its route template. */
  route: string;
  path: string;
  subject: Subject;
  /** True if the response cannot change any more; otherwise it is compared only if both APIs are at the same tip. */
  pinned: boolean;
};

/** Parameters that pin a route to a height. */
const PINS = ['until_block', 'block_height'];

/** Queries with an optional parameter that names a subject. */
const OPTIONAL: Partial<Record<Subject['kind'], readonly { path: string; parameter: string; from: string }[]>> = {
  transaction: [{ path: '/extended/v1/tx/events', parameter: 'tx_id', from: 'tx_id' }],
  principal: [
    { path: '/extended/v1/tx/events', parameter: 'address', from: 'principal' },
    { path: '/extended/v1/tx', parameter: 'from_address', from: 'principal' },
    { path: '/extended/v1/tx', parameter: 'to_address', from: 'principal' },
  ],
  contract: [{ path: '/extended/v1/tx', parameter: 'contract_id', from: 'contract_id' }],
  block: [
    { path: '/extended/v1/stx_supply', parameter: 'height', from: 'height' },
    { path: '/extended/v1/stx_supply/legacy_format', parameter: 'height', from: 'height' },
  ],
};

/** Routes that need one of several optional parameters. */
const NEVER_BARE = new Set(['/extended/v1/tx/events']);

/** The height to which all queries are pinned, with its burn block and tenure heights. */
export type PinnedBlock = { height: number; burnHeight: number; tenureHeight: number };

export type QueryOptions = { pin: PinnedBlock; mempool: boolean };

/** True if a route is compared. */
const isCompared = (route: string, { mempool }: Pick<QueryOptions, 'mempool'>) =>
  !LEFT_OUT.some(({ match }) => match.test(route)) && (mempool || !MEMPOOL.test(route));

/** All queries about a subject that the routes of the API allow. */
export function queriesOf(routes: readonly Route[], subject: Subject, options: QueryOptions): Query[] {
  const { kind, values } = subject;
  const { match, uses } = KINDS[kind];
  const compared = routes.filter(({ path }) => isCompared(path, options));
  const queries = compared.flatMap(route => {
    const { path, required } = route;
    if (!match.test(path) || NEVER_BARE.has(path)) return [];
    if (uses ? !uses.some(name => required.includes(name)) : required.length > 0) return [];
    if (required.some(name => values[name] === undefined)) return [];
    return [queryOf(route, subject, {}, options)];
  });
  const extra = (OPTIONAL[kind] ?? []).flatMap(({ path, parameter, from }) => {
    const route = compared.find(each => each.path === path && each.query.includes(parameter));
    const value = values[from];
    return route && value !== undefined ? [queryOf(route, subject, { [parameter]: value }, options)] : [];
  });
  return [...queries, ...extra];
}

function queryOf(route: Route, subject: Subject, given: Record<string, string>, { pin }: QueryOptions): Query {
  const { values } = subject;
  const query = { ...given };
  for (const name of route.required) if (!route.path.includes(`{${name}}`)) query[name] = values[name]!;
  const pinning = PINS.filter(name => route.query.includes(name));
  for (const name of pinning) query[name] = String(pin.height);
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
  const search = new URLSearchParams(query).toString();
  return {
    route: route.path,
    path: search === '' ? path : `${path}?${search}`,
    subject,
    pinned: pinning.length > 0 || isUnchanging(route.path, subject, pin),
  };
}

/** True if a subject is so far below the tip that responses about it are final. */
function isUnchanging(route: string, { kind, values }: Subject, pin: PinnedBlock): boolean {
  switch (kind) {
    case 'block':
      return !route.includes('{tenure_height}') || Number(values.tenure_height) < pin.tenureHeight;
    case 'burn block':
      return Number(values.burn_block_height) < pin.burnHeight;
    case 'cycle':
    case 'signer of a cycle':
      return route.startsWith('/extended/v2/pox/');
    default:
      return kind === 'microblock' || kind === 'transaction' || kind === 'transaction of a principal';
  }
}
