import { BlockList, isIP } from 'node:net';

/** Returns a test whether an address belongs to one of the networks, each written `10.0.0.1` or `10.0.0.0/8`. */
export function addressSet(subnets: readonly string[]): (address: string) => boolean {
  if (subnets.length === 0) return () => false;
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return address => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}

/** Turns an IPv4-mapped IPv6 address, as dual-stack sockets report it, into the IPv4 address. */
export const plainAddress = (address: string) => (address.startsWith('::ffff:') ? address.slice(7) : address);
