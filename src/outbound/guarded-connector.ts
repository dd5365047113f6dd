import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';

/** Finds the addresses of a host name. */
export type NameResolver = (host: string) => Promise<string[]>;

/** A connection that the guard does not allow. */
export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
  readonly code = 'CAIRN_REFUSED_ADDRESS';
}

const CONNECT_MS = 10_000;
const DNS_MS = 3000;
const DNS_TRIES = 2;

const noAddress = (host: string) => Object.assign(new Error(`no address of ${host}`), { code: 'ENODATA' });

/**
 * Asks DNS without the thread pool of the process: names that never answer must not block the threads that files and
 * compression need. Hosts of the operator are asked from the system too, which knows the names of the local machine.
 */
export function openNameResolver(ownHosts: readonly string[]): NameResolver {
  const resolver = new Resolver({ timeout: DNS_MS, tries: DNS_TRIES });
  return async host => {
    if (ownHosts.includes(host)) return (await systemLookup(host, { all: true })).map(({ address }) => address);
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
    const [failed] = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason as Error] : []));
    if (addresses.length === 0) throw failed ?? noAddress(host);
    return addresses;
  };
}

/**
 * Connects only to addresses that the guard allows. The checked addresses are those that the socket connects to, so that a
 * name cannot change its meaning in between; a name with one refused address is refused.
 */
export function guardedConnector(guard: AddressGuard, resolve: NameResolver): buildConnector.connector {
  const lookup: LookupFunction = (host, { all }, done) => {
    resolve(host).then(
      found => {
        const refused = found.map(guard).find(reason => reason !== undefined);
        const addresses = found.map(address => ({ address, family: isIP(address) }));
        const [first] = addresses;
        if (refused !== undefined) done(new RefusedAddress(`${host} is refused: ${refused}`), '');
        else if (first === undefined) done(noAddress(host), '');
        else if (all) done(null, addresses);
        else done(null, first.address, first.family);
      },
      error => done(error as Error, ''),
    );
  };
  const connect = buildConnector({ lookup, timeout: CONNECT_MS });
  return (options, done) => {
    // Sockets resolve names only: an address in the URL is checked here.
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const refused = isIP(host) === 0 ? undefined : guard(host);
    if (refused !== undefined) return done(new RefusedAddress(`${host} is refused: ${refused}`), null);
    connect(options, done);
  };
}
