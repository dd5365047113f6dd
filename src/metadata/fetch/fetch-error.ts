import { RefusedAddress } from '../../outbound/guarded-connector.ts';
import type { FetchFailure, MetadataErrorCode } from '../metadata-source.ts';

/** A document that cannot be had, with the reason for the token. */
export class FetchError extends Error {
  override name = 'FetchError';
  readonly failure: FetchFailure;

  constructor(failure: Omit<FetchFailure, 'transient'> & { transient?: boolean }) {
    super(failure.message);
    this.failure = { transient: false, ...failure };
  }
}

/** The content is not metadata. */
export const invalid = (message: string) => new FetchError({ code: 'metadata_invalid', message });

/** A URL that is not requested. */
export const refused = (message: string) => new FetchError({ code: 'address_refused', message });

/** The host gave no document. */
export const unreachable = (message: string, more: { transient?: boolean; retryAfterMs?: number } = {}) =>
  new FetchError({ code: 'metadata_unreachable', message, ...more });

const TIMEOUT = /^(?:UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT|ETIMEOUT)$/;
/** Errors that a second try does not change: wrong certificates and names that do not exist. */
const LASTING = /^(?:ENOTFOUND|ENODATA|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** Classifies an error of a request, without addresses in the message; throws an error that is not of the network. */
export function failureOf(error: unknown): FetchFailure {
  if (error instanceof FetchError) return error.failure;
  const { code = '', name = '' } = error as { code?: string; name?: string };
  if (error instanceof RefusedAddress) return fail('address_refused', 'the host has an address that is not public');
  if (TIMEOUT.test(code) || name === 'TimeoutError') return fail('metadata_timeout', 'the host is too slow', true);
  if (name === 'AbortError') return CANCELLED;
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return fail('metadata_too_large', 'the document is too large');
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return fail('metadata_invalid', 'the headers of the response are too large');
  if (name === 'HTTPParserError') return fail('metadata_invalid', 'the host does not speak HTTP');
  if (code === 'UND_ERR_INVALID_ARG') return fail('metadata_invalid', 'the URL cannot be requested');
  if (code === '') throw error;
  return fail('metadata_unreachable', `the host cannot be reached (${code})`, !LASTING.test(code));
}

/** The caller or the program has stopped. */
export const CANCELLED: FetchFailure = { code: 'unknown', message: 'the request was cancelled', transient: true };

const fail = (code: MetadataErrorCode, message: string, transient = false): FetchFailure => ({
  code,
  message,
  transient,
});
