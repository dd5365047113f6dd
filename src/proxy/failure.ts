import { PublicError } from '../errors.ts';

/**
 * Why a node gave no usable response.
 *
 * `connect`: nothing was sent. `connection`: it broke while in use. `timeout`: too late. `slow`: a second node was called and
 * was faster. `status`: it returned 5xx. `nonsense`: HTML, a redirect, or not HTTP. `large`: above the limit.
 * `request`: the request could not be sent as it is.
 */
export type FailureKind = 'connect' | 'connection' | 'timeout' | 'slow' | 'status' | 'nonsense' | 'large' | 'request';

export type Failure = { kind: FailureKind; detail: string };

const CONNECT = /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;
const TIMEOUT = /^(UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/;

/** Classifies an error of the client library. */
export function failureOf(error: unknown): Failure {
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  const detail = `${code ?? name ?? 'error'} ${message ?? ''}`.trim();
  if (code === 'UND_ERR_INVALID_ARG') return { kind: 'request', detail };
  if (CONNECT.test(code ?? '')) return { kind: 'connect', detail };
  if (TIMEOUT.test(code ?? '') || name === 'TimeoutError') return { kind: 'timeout', detail };
  if (code?.startsWith('HPE_') || name === 'RpcError') return { kind: 'nonsense', detail };
  return { kind: 'connection', detail };
}

/** The error for the client; it names neither the node nor the response of the node. */
export function publicFailure(failure: Failure | undefined): PublicError {
  if (!failure) return new PublicError(503, 'No node can be reached at the moment; try again shortly');
  switch (failure.kind) {
    case 'timeout':
    case 'slow':
      return new PublicError(504, 'The nodes did not respond in time; try again shortly');
    case 'request':
      return new PublicError(400, 'The request has a path or a header that cannot be passed on');
    case 'large':
      return new PublicError(502, 'The response of the node is larger than this service allows');
    case 'status':
      return new PublicError(502, 'The nodes failed to process this request');
    case 'nonsense':
      return new PublicError(502, 'The nodes sent no usable response');
    default:
      return new PublicError(502, 'The connection to the node broke; try again shortly');
  }
}
