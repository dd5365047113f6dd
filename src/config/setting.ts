import { isIP } from 'node:net';
import { NETWORK_FORMS, type Network, parseNetwork } from '@cairn-stacks/codec/network';

/** The environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Parses the text of a setting; undefined when it is not what `accepts` describes. */
export type Kind<T> = { accepts: string; parse(text: string): T | undefined };

/** One or several variables of the incumbent that together have the meaning of one setting of Cairn. */
export type Alias = { names: readonly string[]; read(env: Environment): string | undefined };

/** One setting: the docs, the defaults and the parsing come from it. */
export type Setting<T> = {
  name: string;
  kind: Kind<T>;
  /** The text used when the setting is unset; a setting without it is optional. */
  fallback?: string;
  /** The default that the docs print when there is no `fallback`. */
  unset?: string;
  /** A setting in bytes that is this share of `CAIRN_MEMORY` when it is unset. */
  share?: number;
  /** Variables of the incumbent with the same meaning. */
  aliases?: readonly (string | Alias)[];
  /** True if the value holds a secret, which is never logged. */
  secret?: boolean;
  about: string;
};

/** A setting with a default always has a value. */
export const set = <T>(setting: Setting<T> & { fallback: string }) => ({ ...setting, optional: false as const });

/** A setting that is a share of the memory of the process when unset. */
export const shareOfMemory = (setting: Setting<number> & { share: number; unset: string }) => ({
  ...setting,
  optional: false as const,
});

/** A setting without a default is undefined when unset. */
export const optional = <T>(setting: Setting<T> & { unset: string }) => ({ ...setting, optional: true as const });

export const text: Kind<string> = { accepts: 'text', parse: value => value };

export const integer = (accepts: string, min: number, max: number): Kind<number> => ({
  accepts,
  parse(value) {
    const number = /^\d[\d_]*$/.test(value) ? Number(value.replaceAll('_', '')) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  },
});

export const port = integer('a port from 0 to 65535 (0 takes any free port)', 0, 65535);
export const milliseconds = integer('milliseconds, at least 1', 1, 2_000_000_000);
export const path: Kind<string> = {
  accepts: 'a path that starts with a slash',
  parse: value => (/^\/[\w./~-]*$/.test(value) ? value.replace(/\/+$/, '') : undefined),
};
export const subnet: Kind<string> = {
  accepts: 'an IP address or a network such as 10.0.0.0/8',
  parse(value) {
    const [address = '', bits] = value.split('/');
    const version = isIP(address);
    const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
    return version !== 0 && fits ? value : undefined;
  },
};
export const privateKey: Kind<string> = {
  accepts: 'a private key of 64 hex digits, followed by 01 for a compressed public key',
  parse: value => (/^[0-9a-f]{64}(01)?$/i.test(value) ? value.toLowerCase() : undefined),
};
export const encryptionKey: Kind<string> = {
  accepts: '64 hex digits, such as `openssl rand -hex 32` prints',
  parse: value => (/^[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : undefined),
};
export const secretToken: Kind<string> = {
  accepts: 'at least 16 visible ASCII characters',
  parse: value => (/^[\x21-\x7e]{16,}$/.test(value) ? value : undefined),
};
export const account: Kind<string> = {
  accepts: `${privateKey.accepts}, or a mnemonic of 12 to 24 words`,
  parse(value) {
    const words = value.toLowerCase().split(/\s+/);
    if (words.length === 1) return privateKey.parse(value);
    return [12, 15, 18, 21, 24].includes(words.length) && words.every(word => /^[a-z]+$/.test(word))
      ? words.join(' ')
      : undefined;
  },
};
export const contract: Kind<string> = {
  accepts: 'a contract in the form ADDRESS.name',
  parse: value => (/^S[0-9A-Z]{27,40}\.[a-zA-Z][\w-]{0,127}$/.test(value) ? value : undefined),
};
export const streamName: Kind<string> = {
  accepts: 'a name of letters, digits, `-` and `_`',
  parse: value => (/^[\w-]{1,200}$/.test(value) ? value : undefined),
};
export const subjectPrefix: Kind<string> = {
  accepts: 'names of letters, digits, `-` and `_`, separated by dots',
  parse: value => (/^[\w-]+(\.[\w-]+)*$/.test(value) && value.length <= 200 ? value : undefined),
};
export const seconds = integer('whole seconds, at least 1', 1, 2_000_000);
export const bytes = integer('a number of bytes, at least 1024', 1024, Number.MAX_SAFE_INTEGER);

export const choice = <const T extends string>(...values: readonly T[]): Kind<T> => ({
  accepts: values.join(', '),
  parse: value => values.find(v => v === value.toLowerCase()),
});

export const flag: Kind<boolean> = {
  accepts: 'true or false (also on, off, 1, 0, yes, no)',
  parse(value) {
    if (/^(true|on|1|yes)$/i.test(value)) return true;
    return /^(false|off|0|no)$/i.test(value) ? false : undefined;
  },
};

export const url = (...protocols: readonly string[]): Kind<string> => ({
  accepts: `a URL that starts with ${protocols.map(p => `${p}://`).join(' or ')}`,
  parse(value) {
    const scheme = /^(\w+):\/\/./.exec(value)?.[1];
    return scheme !== undefined && protocols.includes(scheme) ? value.replace(/\/+$/, '') : undefined;
  },
});

export const list = <T>(kind: Kind<T>): Kind<readonly T[]> => ({
  accepts: `a comma-separated list, each item ${kind.accepts}`,
  parse(value) {
    const items = value.split(',').flatMap(part => (part.trim() ? [kind.parse(part.trim())] : []));
    return items.every(item => item !== undefined) ? Object.freeze(items) : undefined;
  },
});

/** A node of the pool as configured by the operator. */
export type NodeSetting = {
  /** Without a trailing slash and without credentials. */
  url: string;
  /** Shown to clients instead of the address; if empty, `node-N` by its index in the list. */
  name: string;
  weight: number;
  /** Sent with every request, for a gateway in front of the node. */
  headers: Readonly<Record<string, string>>;
  /** The node's `auth_token`, sent only with Cairn's own requests to protected endpoints. */
  auth: string | undefined;
};

/** An address, followed by options separated by bars: `http://a:20443|weight=2|name=east|header=x-api-key:KEY|auth=TOKEN`. */
export const node: Kind<NodeSetting> = {
  accepts:
    'an http:// or https:// address, followed by options separated by bars: `weight=2`, `name=east`, `header=x-api-key:KEY`, `auth=TOKEN` (write commas and bars in them as %2C and %7C)',
  parse(value) {
    const [address = '', ...options] = value.split('|').map(part => part.trim());
    if (!URL.canParse(address)) return undefined;
    const { protocol, username, password, search, hash } = new URL(address);
    if (!/^https?:$/.test(protocol) || search || hash) return undefined;
    const headers: Record<string, string> = {};
    if (username) headers.authorization = basic(username, password);
    const read: NodeSetting = {
      url: address.replace(/\/\/[^/@]*@/, '//').replace(/\/+$/, ''),
      ...{ name: '', weight: 1, headers, auth: undefined },
    };
    return options.every(option => readNodeOption(read, headers, option)) ? Object.freeze(read) : undefined;
  },
};

/** Another HTTP service, with headers for it. */
export const service: Kind<Pick<NodeSetting, 'url' | 'headers'>> = {
  accepts: 'an http:// or https:// address, followed by `|header=NAME:VALUE` for each header to send',
  parse(value) {
    const read = value
      .split('|')
      .slice(1)
      .every(option => /^\s*header=/.test(option))
      ? node.parse(value)
      : undefined;
    return read && Object.freeze({ url: read.url, headers: read.headers });
  },
};

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${decodeURIComponent(user)}:${decodeURIComponent(password)}`).toString('base64')}`;

function readNodeOption(read: NodeSetting, headers: Record<string, string>, option: string): boolean {
  const [, key, text] = /^(\w+)=(.+)$/.exec(option) ?? [];
  if (text === undefined || /%(?![0-9a-f]{2})/i.test(text)) return false;
  const value = decodeURIComponent(text);
  const [, header, content] = /^([\w-]+):\s*([\x20-\x7e]+)$/.exec(value) ?? [];
  if (key === 'weight' && Number(value) > 0 && Number(value) <= 1000) read.weight = Number(value);
  else if (key === 'name' && /^[\w.-]{1,64}$/.test(value)) read.name = value;
  else if (key === 'auth' && /^[\x21-\x7e]+$/.test(value)) read.auth = value;
  else if (key === 'header' && header && content) headers[header.toLowerCase()] = content;
  else return false;
  return true;
}

/** The servers of a message broker, and who may use them. */
export type BrokerSetting = {
  /** Host and port of each server, without credentials. */
  servers: readonly string[];
  tls: boolean;
  auth: { user: string; pass: string } | { token: string } | undefined;
};

/** Addresses of the servers of one broker; the first one with credentials has those of all. */
export const broker: Kind<BrokerSetting> = {
  accepts:
    'an address `nats://HOST:4222`, or `tls://…`, with credentials as `USER:PASSWORD@` or `TOKEN@`; several servers of a cluster separated by commas',
  parse(value) {
    const addresses = value.split(',').map(part => part.trim());
    const read: URL[] = [];
    for (const address of addresses) {
      if (!/^(nats|tls):\/\/[^/?#]+\/?$/.test(address) || !URL.canParse(address)) return undefined;
      read.push(new URL(address));
    }
    if (read.some(({ hostname, username, password }) => !hostname || /%(?![0-9a-f]{2})/i.test(username + password)))
      return undefined;
    const { username, password } = read.find(url => url.username) ?? { username: '', password: '' };
    const user = decodeURIComponent(username);
    const auth = password ? { user, pass: decodeURIComponent(password) } : user ? { token: user } : undefined;
    const servers = read.map(({ hostname, port }) => `${hostname}:${port || 4222}`);
    return Object.freeze({ servers, tls: read.some(({ protocol }) => protocol === 'tls:'), auth });
  },
};

export const network: Kind<Network> = { accepts: NETWORK_FORMS, parse: parseNetwork };
