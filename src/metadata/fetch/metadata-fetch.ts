import { setMaxListeners } from 'node:events';
import { isIP } from 'node:net';
import { mergeLocalized, readTokenJson, type TokenJson } from '../../chain/tokens/token-json.ts';
import { fillTokenUri, type Gateways, locateImage } from '../../chain/tokens/token-uri.ts';
import { type AddressGuard, addressGuard } from '../../outbound/address-guard.ts';
import { withDeadline } from '../../outbound/deadline.ts';
import type { NameResolver } from '../../outbound/guarded-connector.ts';
import type { MetadataSource, TokenMetadata } from '../metadata-source.ts';
import { DocumentSource, type JsonDocument } from './document-source.ts';
import { CANCELLED, failureOf, invalid } from './fetch-error.ts';
import { contentProblem } from './response-headers.ts';
import { gatewaysOf, type MetadataFetchConfig, openWebDocuments } from './web-settings.ts';

export type { MetadataFetchConfig };

export type MetadataFetchOptions = {
  /** Finds the addresses of host names; DNS unless given. */
  resolve?: NameResolver;
};

/** Tokens of one collection may share a document. */
const REUSE_MS = 60_000;
/** Maximum length of a picture as a `data:` URI that is passed on. */
const MAX_IMAGE_LENGTH = 200_000;
/** Documents of locales that are fetched at once. */
const LOCALES_AT_ONCE = 4;
/** All localized documents of a token together may have this many times the size of one document. */
const LOCALES_SIZE = 2;

/** Opens the source of metadata. In the mode `chain` nothing is fetched: only `data:` URIs are read. */
export function createMetadataSource(
  config: MetadataFetchConfig,
  mode: 'chain' | 'full',
  options: MetadataFetchOptions = {},
): MetadataSource & { close(): Promise<void> } {
  const gateways = gatewaysOf(config);
  const guard = addressGuard(config.metadataAllowPrivate);
  const web = mode === 'full' ? openJsonDocuments(config, options.resolve) : undefined;
  const documents = new DocumentSource({ gateways, maxBytes: config.metadataMaxBytes, web });
  const show = (json: TokenJson): TokenMetadata => {
    const imageUrl = json.image === undefined ? undefined : imageUrlOf(json.image, gateways, guard);
    return imageUrl === undefined ? json : { ...json, imageUrl };
  };

  const source: MetadataSource = async (uri, tokenNumber, signal) => {
    // The caller may share one signal among all tokens that it reads at once.
    setMaxListeners(0, signal);
    try {
      const document = await documents.read(fillTokenUri(uri, tokenNumber), signal);
      const base = jsonOf(document, tokenNumber);
      const limits = { maxSize: LOCALES_SIZE * config.metadataMaxBytes, timeoutMs: config.metadataTimeout * 1000 };
      const localized = await readLocales(documents, base, tokenNumber, limits, signal);
      const metadata = show(base);
      const locales = new Map(localized.map(([locale, json]) => [locale, show(json)]));
      if (base.localization) locales.set(base.localization.default, metadata);
      const { freshMs } = document;
      return { metadata, locales, ...(freshMs !== undefined && { freshUntil: new Date(Date.now() + freshMs) }) };
    } catch (error) {
      return { failure: signal.aborted ? CANCELLED : failureOf(error) };
    }
  };
  const close = async () => web?.close();
  return Object.assign(source, { close });
}

const openJsonDocuments = (config: MetadataFetchConfig, resolve: NameResolver | undefined) =>
  openWebDocuments(config, {
    maxBytes: config.metadataMaxBytes,
    reuseMs: REUSE_MS,
    content: { accept: 'application/json, text/plain;q=0.9, */*;q=0.5', problemOf: contentProblem },
    resolve,
  });

/** The documents of the locales except the default one; those that cannot be had are left out. */
async function readLocales(
  documents: DocumentSource,
  base: TokenJson,
  tokenNumber: bigint,
  limits: { maxSize: number; timeoutMs: number },
  signal: AbortSignal,
): Promise<[string, TokenJson][]> {
  const { localization } = base;
  if (!localization) return [];
  const open = localization.locales.filter(locale => locale !== localization.default);
  const found: [string, TokenJson][] = [];
  let size = 0;
  const readOne = async (locale: string, within: AbortSignal) => {
    const document = await documents.read(fillTokenUri(localization.uri, tokenNumber, locale), within);
    size += document.size;
    found.push([locale, mergeLocalized(base, jsonOf(document, tokenNumber, true))]);
  };
  await withDeadline(limits.timeoutMs, signal, async within => {
    while (open.length > 0 && size < limits.maxSize && !within.aborted) {
      const batch = open.splice(0, LOCALES_AT_ONCE).map(locale => readOne(locale, within));
      for (const result of await Promise.allSettled(batch)) {
        // Throws what is not a failure of the document.
        if (result.status === 'rejected') failureOf(result.reason);
      }
    }
  });
  return found;
}

function jsonOf({ json }: JsonDocument, tokenNumber: bigint, localized = false): TokenJson {
  const read = readTokenJson(json, tokenNumber, localized);
  if ('problem' in read) throw invalid(read.problem);
  return read;
}

/** The URL of a picture for clients, which must not be led to their own networks either. */
function imageUrlOf(image: string, gateways: Gateways, guard: AddressGuard): string | undefined {
  const url = locateImage(image, gateways, MAX_IMAGE_LENGTH);
  if (url === undefined || url.startsWith('data:')) return url;
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return guard(host) === undefined ? url : undefined;
  return /(?:^|\.)localhost\.?$/.test(host) ? undefined : url;
}
