/** Address and credentials of a server, in the form that `pg` takes. */
export type Address = {
  /** Without the parameters that are set for each connection. */
  connectionString: string;
  /** Server settings in the URL: `?options=-c%20work_mem=64MB`. */
  options: string | undefined;
};

/** Reads a `postgres://` URL. The host may be a folder with a unix socket, as `%2Fpath` or as `?host=/path`. */
export function readAddress(url: string): Address {
  let parsed: URL;
  try {
    parsed = new URL(withHost(url));
  } catch {
    throw new Error('the database URL cannot be read: expected postgres://user:password@host:port/database');
  }
  const options = parsed.searchParams.get('options') ?? undefined;
  parsed.searchParams.delete('options');
  parsed.searchParams.delete('application_name');
  return { connectionString: parsed.href, options };
}

/** `postgres://user@/db?host=/run` has no host, which a URL does not allow. */
export const withHost = (url: string) => url.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1localhost');

/** Formats settings for the startup parameter `options`. */
export const startupOptions = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replace(/[\\\s]/g, '\\$&')}`)
    .join(' ');
