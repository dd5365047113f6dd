import { badRequest, PublicError } from '../errors.ts';

/** How long a response stays valid: forever, while the tip stays, or not at all. */
export type Lifetime = 'immutable' | 'tip' | 'none';

/** A checked path of the node RPC. */
export type NodePath = {
  /** With its query, as sent to the node. */
  target: string;
  /** Decoded, without the query. */
  path: string;
  /** True if it needs the client's own `authorization`. */
  guarded: boolean;
};

/** Paths for nodes, signers and miners: proposals, uploads, and endpoints that need the node's secret. */
const NODE_ONLY = anyOf(
  /\/v[23]\/block_proposal(\/|$)/,
  /\/v[23]\/blocks\/(upload|replay|simulate)(\/|$)/,
  /\/v3\/contracts\/fast-call-read(\/|$)/,
  /\/v3\/transactions\/simulate(\/|$)/,
  /\/v[23]\/microblocks$/,
  /\/v2\/stackerdb\/[^/]+\/[^/]+\/chunks$/,
);

/** POST paths that change nothing. */
const READS = anyOf(
  /\/v[23]\/contracts\/(call-read|fast-call-read)\//,
  /\/v2\/map_entry\//,
  /\/v2\/fees\/transaction$/,
  /\/v2\/mempool\/query$/,
);

const IMMUTABLE = anyOf(
  /\/v[23]\/blocks\/[0-9a-f]{64}$/,
  /\/v3\/tenures\/[0-9a-f]{64}$/,
  /\/v2\/attachments\/[0-9a-f]{40}$/,
  /\/v2\/clarity\/marf\/[0-9a-f]{64}$/,
);

const AT_TIP =
  /^\/v[23]\/(info|pox|accounts|contracts|data_var|constant_val|traits|fees\/transfer|headers|stacker_set|sortitions|tenures|blocks\/height|signer)(\/|$)/;

/** Nearly all paths: words with single dots between them, which need no further check. */
const PLAIN = /^(?:\/[\w-]+(?:\.[\w-]+)*)+(?:\?[\w=&.-]*)?$/;
const VISIBLE = /^[\x21-\x7e]+$/;
/** Forbidden in a path, encoded or not: other separators, control characters, a second encoding. */
const TRICKS = /%(2f|5c|25|[01][0-9a-f]|7f)|[\\#]/i;
/** The name of a called function, behind its contract in one segment or two. */
const CALLED = /^(\/v2\/contracts\/call-read\/(?:[^/]+\/[^/]+|[^/]+\.[^/]+)\/)([^/]+)$/;

/** A plain public path; undefined for all others, which need the full check. */
export function plainPath(url: string): NodePath | undefined {
  if (!PLAIN.test(url)) return undefined;
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  if (NODE_ONLY.test(path)) return undefined;
  const joined = joinContract(path);
  return { target: joined === path ? url : joined + (cut < 0 ? '' : url.slice(cut)), path, guarded: false };
}

/** Checks the target of a request; throws if a node might interpret it differently. */
export function readPath(url: string, allowed: readonly string[]): NodePath {
  const plain = plainPath(url);
  if (plain) return plain;
  const { raw, path, query } = readTarget(url);
  const guarded = NODE_ONLY.test(path);
  if (guarded && !allowed.some(open => path === open || path.startsWith(`${open}/`))) {
    throw new PublicError(403, 'This path is meant for nodes and is not offered here');
  }
  return { target: joinContract(raw) + query, path, guarded };
}

/**
 * Splits the target of a request into its path, as written and decoded, without a slash at the end, and its query; throws
 * if another server might interpret it differently.
 */
export function readTarget(url: string): { raw: string; path: string; query: string } {
  const cut = url.indexOf('?');
  const whole = cut < 0 ? url : url.slice(0, cut);
  const raw = whole.endsWith('/') ? whole.slice(0, -1) : whole;
  if (!VISIBLE.test(url) || url.includes('#')) throw badRequest('The path has characters that must be encoded');
  if (raw.includes('//') || TRICKS.test(withoutNameSlashes(raw)))
    throw badRequest('The path has an empty segment or an encoded separator');
  const path = raw.includes('%') ? decode(raw) : raw;
  if (/\/\.{1,2}(\/|$)/.test(path)) throw badRequest('The path has a segment of dots');
  return { raw, path, query: cut < 0 ? '' : url.slice(cut) };
}

/** A function may have a slash in its name: there, an encoded one is no trick. */
const withoutNameSlashes = (raw: string): string =>
  raw.replace(CALLED, (_, contract: string, name: string) => contract + name.replaceAll(/%2f/gi, '-'));

function decode(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    throw badRequest('The path has a wrong percent encoding');
  }
}

/** Calls may write the contract as `ADDRESS.NAME`, where the node expects two segments. */
function joinContract(raw: string): string {
  if (!raw.startsWith('/v2/contracts/')) return raw;
  return raw.replace(/^(\/v2\/contracts\/(?:call-read|source|interface)\/[^/.]+)\.([^/]+)(\/[^/]+)?\/?$/, '$1/$2$3');
}

/** True if a call may be sent twice. */
export const isRead = (method: string, path: string) => method !== 'POST' || READS.test(path);

export function lifetimeOf(path: string): Lifetime {
  if (IMMUTABLE.test(path)) return 'immutable';
  return AT_TIP.test(path) ? 'tip' : 'none';
}

function anyOf(...patterns: RegExp[]): RegExp {
  return new RegExp(`^(?:${patterns.map(({ source }) => source).join('|')})`);
}
