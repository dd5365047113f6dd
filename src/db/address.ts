/** Address and credentials of a server, or of several of which one is the primary. */
export type Address = {
  /** One for each host, in the form that `pg` takes, without the parameters that are set for each connection. */
  hosts: readonly string[];
  /** Of several hosts, the one that was the primary when it was last searched; undefined if it must be searched. */
  primary: string | undefined;
  /** Server settings in the URL: `?options=-c%20work_mem=64MB`. */
  options: string | undefined;
};

/**
 * Reads a `postgres://` URL. The host may be a folder with a unix socket, as `%2Fpath` or as `?host=/path`; several hosts have
 * commas between them: `postgres://user:password@a:5432,b:5432/database`.
 */
export function readAddress(url: string): Address {
  const read = splitHosts(withHost(url)).map(readHost);
  return { hosts: read.map(({ href }) => href), primary: undefined, options: read[0]?.options };
}

/** Hosts and ports of a URL, or the folder of a unix socket: what may be shown of it. */
export function describeServer(url: string): string {
  return splitHosts(withHost(url))
    .map(one => {
      const { hostname, port, searchParams } = new URL(one);
      const host = decodeURIComponent(searchParams.get('host') ?? hostname);
      return host.startsWith('/') ? host : `${host}:${port || searchParams.get('port') || 5432}`;
    })
    .join(',');
}

/** One URL for each host that a URL names. */
function splitHosts(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (!hosts.includes(',')) return [url];
  return hosts.split(',').map(host => `${start}${host.trim()}${rest}`);
}

function readHost(url: string): { href: string; options: string | undefined } {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new Error('the database URL cannot be read: expected postgres://user:password@host:port/database');
  }
  const options = parsed.searchParams.get('options') ?? undefined;
  parsed.searchParams.delete('options');
  parsed.searchParams.delete('application_name');
  return { href: parsed.href, options };
}

/** `postgres://user@/db?host=/run` has no host, which a URL does not allow. */
export const withHost = (url: string) => url.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1localhost');

/** Formats settings for the startup parameter `options`. */
export const startupOptions = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replace(/[\\\s]/g, '\\$&')}`)
    .join(' ');
