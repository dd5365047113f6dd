import { isDataUri } from './data-uri.ts';

/** Base URLs, without a trailing slash, of the services that serve content-addressed networks over HTTP. */
export type Gateways = { ipfs: string; arweave: string };

/** Where a URI leads. `gateway` is set if the URL is below a configured gateway. */
export type TokenLocation =
  | { kind: 'data'; uri: string }
  | { kind: 'web'; url: string; gateway?: 'ipfs' | 'arweave' }
  | { kind: 'refused'; code: 'metadata_invalid' | 'address_refused'; reason: string };

/** Maximum length of a URI that is not `data:`; contracts of the standards return at most 256 characters. */
const MAX_LENGTH = 4096;

/** Public gateways of IPFS; the configured gateway is used in their place. */
const PUBLIC_GATEWAYS =
  /^(?:(?:www\.|gateway\.)?(?:ipfs\.io|pinata\.cloud)|dweb\.link|cloudflare-ipfs\.com|(?:[\w-]+\.)?infura-ipfs\.io|nftstorage\.link|w3s\.link)$/;
const SUBDOMAIN = /^([a-z0-9-]+)\.(ipfs|ipns)\.(?:dweb\.link|cf-ipfs\.com|infura-ipfs\.io|nftstorage\.link|w3s\.link)$/;

/** Content identifiers of version 0, and of version 1 in base32, base36 or base58. */
const CID = /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|[bB][A-Za-z2-7]{50,}|[kK][A-Za-z0-9]{50,}|z[1-9A-HJ-NP-Za-km-z]{40,})$/;
/** A content identifier, or a domain name with a DNS link. */
const IPNS_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/;
const ARWEAVE_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** A segment of dots, encoded or not, would leave the content that the identifier names. */
const DOTS = /(?:^|\/|\\|%2f|%5c)(?:\.|%2e){1,2}(?:$|\/|\\|%2f|%5c)/i;
/** A URL parser leaves out line breaks and tabs, so that a check of the text would not see what it reads. */
const CONTROLS = /\p{Cc}/u;

/** Replaces the placeholders of a URI; `locale` is empty for the base document. */
export function fillTokenUri(uri: string, tokenNumber: bigint, locale = ''): string {
  // Too long to be fetched: nothing is gained by making it longer.
  if (uri.length > MAX_LENGTH && !isDataUri(uri)) return uri;
  return uri.replace(/\{id\}|\$TOKEN_ID|\{locale\}/gi, placeholder =>
    placeholder.toLowerCase() === '{locale}' ? locale : String(tokenNumber),
  );
}

/** Says where a URI leads; nothing is resolved or connected. */
export function locateToken(uri: string, gateways: Gateways): TokenLocation {
  const text = uri.trim();
  if (isDataUri(text)) return { kind: 'data', uri: text };
  if (text.length > MAX_LENGTH) return invalid(`the URI has more than ${MAX_LENGTH} characters`);
  if (CONTROLS.test(text)) return invalid('the URI has control characters');
  // The text is taken apart by hand: a URL parser would lower-case the identifier, where case matters.
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/*(.*)$/is.exec(text) ?? [];
  switch (scheme.toLowerCase()) {
    case 'ipfs':
      return locateIpfs(rest, gateways);
    case 'ipns':
      return below(gateways, 'ipfs', 'ipns', rest, IPNS_NAME);
    case 'ar':
      return below(gateways, 'arweave', '', rest, ARWEAVE_ID);
    case 'http':
    case 'https':
      return locateWeb(text, gateways);
    case '':
      return invalid('the URI has no scheme');
    default:
      return invalid('the scheme of the URI is not supported');
  }
}

/** The URL of a picture for clients: pictures are never fetched, so that http is fine. Undefined if there is none. */
export function locateImage(uri: string, gateways: Gateways, maxDataLength: number): string | undefined {
  const location = locateToken(uri, gateways);
  if (location.kind === 'web') return location.url;
  if (location.kind === 'refused' || location.uri.length > maxDataLength) return undefined;
  return /^data:image\/[\w.+-]+[;,]/i.test(location.uri) ? location.uri : undefined;
}

/** `ipfs://CID/path`, also written with a second `ipfs/` or with `ipns/`. */
function locateIpfs(rest: string, gateways: Gateways): TokenLocation {
  const [, namespace = 'ipfs', path = ''] = /^(?:(ipfs|ipns)\/+)?(.*)$/is.exec(rest) ?? [];
  return namespace.toLowerCase() === 'ipns'
    ? below(gateways, 'ipfs', 'ipns', path, IPNS_NAME)
    : below(gateways, 'ipfs', 'ipfs', path, CID);
}

function locateWeb(text: string, gateways: Gateways): TokenLocation {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return invalid('the URI is not a URL');
  if (url.username || url.password) return refused('the URL has a user name or a password');
  const host = url.hostname.replace(/\.$/, '');
  const [, label, namespace] = SUBDOMAIN.exec(host) ?? [];
  if (label !== undefined && namespace !== undefined) {
    return below(gateways, 'ipfs', namespace, label + url.pathname, namespace === 'ipfs' ? CID : IPNS_NAME);
  }
  const [, kind, path] = /^\/(ipfs|ipns)\/+(.+)$/.exec(url.pathname) ?? [];
  if (PUBLIC_GATEWAYS.test(host) && kind !== undefined && path !== undefined) {
    return below(gateways, 'ipfs', kind, path, kind === 'ipfs' ? CID : IPNS_NAME);
  }
  url.hash = '';
  return { kind: 'web', url: url.href };
}

/** A URL below a gateway that begins with an identifier of the expected form. */
function below(
  gateways: Gateways,
  gateway: keyof Gateways,
  namespace: string,
  rest: string,
  identifier: RegExp,
): TokenLocation {
  const [, id = '', tail = ''] = /^\/*([^/?#]*)([^?#]*)/s.exec(rest) ?? [];
  if (!identifier.test(id)) return invalid('the URI does not name its content');
  if (DOTS.test(tail)) return refused('the path of the URI has a segment of dots');
  const base = `${gateways[gateway]}/${namespace === '' ? '' : `${namespace}/`}${id}`;
  return { kind: 'web', url: new URL(base + tail).href, gateway };
}

const invalid = (reason: string): TokenLocation => ({ kind: 'refused', code: 'metadata_invalid', reason });
const refused = (reason: string): TokenLocation => ({ kind: 'refused', code: 'address_refused', reason });
