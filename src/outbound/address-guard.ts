import { isIP } from 'node:net';
import { addressSet } from '../config/address-set.ts';

/** Returns why an address must not be connected to; undefined if it may be. */
export type AddressGuard = (address: string) => string | undefined;

/** Networks of IPv4 that are not public (IANA special-purpose registry), and the host agent of a large cloud. */
const IPV4_REFUSED = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16'],
];
/** All of IPv6 that is assigned to the public network, */
const IPV6_PUBLIC = ['2000::/3'];
/** except tunnels, which may lead anywhere, and networks for special purposes. */
const IPV6_REFUSED = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const isRefusedIpv4 = addressSet(IPV4_REFUSED);
const isPublicIpv6 = addressSet(IPV6_PUBLIC);
const isRefusedIpv6 = addressSet(IPV6_REFUSED);

/** Refuses all addresses that are not public, except the allowed networks; with `none` public ones too. */
export function addressGuard(allowed: readonly string[], others: 'public' | 'none' = 'public'): AddressGuard {
  const isAllowed = addressSet(allowed);
  return text => {
    const address = unwrapped(text);
    const version = isIP(address);
    if (version === 0) return 'it is not an address';
    if (isAllowed(address)) return undefined;
    if (others === 'none') return 'it is not in the allowed networks';
    const fine = version === 4 ? !isRefusedIpv4(address) : isPublicIpv6(address) && !isRefusedIpv6(address);
    return fine ? undefined : 'it is not a public address';
  };
}

/** The IPv4 address inside an IPv4-mapped or NAT64 address; all others as they are, without a zone. */
function unwrapped(text: string): string {
  const address = text.split('%', 1)[0]!;
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const head = groups.slice(0, 6).join(':');
  if (head !== '0:0:0:0:0:ffff' && head !== '64:ff9b:0:0:0:0') return address;
  const [high = 0, low = 0] = groups.slice(6).map(group => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of an IPv6 address in the shortest form; the URL parser knows all ways to write one. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last];
}
