import { decodeDataUri } from '../../chain/tokens/data-uri.ts';
import { type DocumentProblem, readJsonDocument } from '../../chain/tokens/json-document.ts';
import { type Gateways, locateToken } from '../../chain/tokens/token-uri.ts';
import { FetchError, invalid, unreachable } from './fetch-error.ts';
import { tooLarge } from './response-body.ts';
import { contentProblem } from './response-headers.ts';
import type { WebDocuments } from './web-documents.ts';

/** A parsed document; `size` is the length of its text. */
export type JsonDocument = { json: unknown; size: number; freshMs: number | undefined };

export type DocumentSourceOptions = {
  gateways: Gateways;
  maxBytes: number;
  /** Without it only `data:` URIs are read. */
  web: WebDocuments | undefined;
};

const NOT_FETCHED = 'the document is not fetched: CAIRN_METADATA=chain reads contracts and data: URIs only';

/** Reads the documents that URIs name. */
export class DocumentSource {
  readonly #options: DocumentSourceOptions;

  constructor(options: DocumentSourceOptions) {
    this.#options = options;
  }

  /** The JSON at a URI; throws a FetchError, or an error of the network. */
  async read(uri: string, signal: AbortSignal): Promise<JsonDocument> {
    const location = locateToken(uri, this.#options.gateways);
    if (location.kind === 'refused') throw new FetchError({ code: location.code, message: location.reason });
    if (location.kind === 'data') return this.#readData(location.uri);
    const { web } = this.#options;
    if (!web) throw unreachable(NOT_FETCHED);
    const { bytes, freshMs } = await web.read(location, signal);
    const text = utf8(bytes);
    return { json: jsonIn(readText(text)), size: bytes.length, freshMs };
  }

  #readData(uri: string): JsonDocument {
    const { maxBytes } = this.#options;
    const decoded = decodeDataUri(uri, maxBytes);
    if (decoded === 'too large') throw tooLarge(maxBytes);
    if (typeof decoded === 'string') throw invalid(decoded);
    const problem = contentProblem(decoded.type);
    if (problem !== undefined) throw invalid(problem);
    const size = decoded.bytes.length;
    const read = readText(utf8(decoded.bytes));
    if ('value' in read) return { json: read.value, size, freshMs: undefined };
    // Some contracts write plain JSON with percent signs in it.
    const literal = decodeDataUri(uri, maxBytes, true);
    const again = typeof literal === 'string' ? read : readText(utf8(literal.bytes));
    return { json: jsonIn('value' in again ? again : read), size, freshMs: undefined };
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function utf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalid('the document is not UTF-8');
  }
}

/** A page may be sent with the type of JSON. */
const readText = (text: string) =>
  /^\s*</.test(text) ? { problem: 'the URI leads to a web page' } : readJsonDocument(text);

function jsonIn(read: { value: unknown } | DocumentProblem): unknown {
  if ('problem' in read) throw invalid(read.problem);
  return read.value;
}
