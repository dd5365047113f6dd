import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress as plain } from '../../config/address-set.ts';

/** Called for every request; cheaper than a search in a list. */
const isLoopback = (address: string) => address.startsWith('127.') || address === '::1';

/**
 * The client to which a request is charged: the address of the connection or, behind trusted proxies, the last address in
 * `X-Forwarded-For` that is not a trusted proxy. Undefined for connections of this machine, which are not limited; an address
 * in a header is only what somebody wrote there, so that a loopback address in it is a client like others.
 */
export function clientOf(request: IncomingMessage, isTrusted: (address: string) => boolean): string | undefined {
  let address = plain(request.socket.remoteAddress ?? '');
  let isForwarded = false;
  if (isTrusted(address)) {
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    for (const hop of forwarded.reverse()) {
      const named = plain(hop.trim());
      if (isIP(named) === 0) break;
      address = named;
      isForwarded = true;
      if (!isTrusted(named)) break;
    }
  }
  return address === '' || (!isForwarded && isLoopback(address)) ? undefined : network(address);
}

/** Of IPv6 the first half: the rest is for one customer to choose. */
function network(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.split('%', 1)[0]!.split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::') ? Array<string>(Math.max(0, 8 - groups.length - behind.length)).fill('0') : [];
  return [...groups, ...zeros, ...behind]
    .slice(0, 4)
    .map(group => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
