import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** An error for the client: a status and a message that says what to do, without internal details. */
export class PublicError extends Error {
  override name = 'PublicError';
  readonly status: number;
  /** The response body; the default shape unless a family of routes has its own. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, body?: Record<string, unknown>) {
    super(message);
    this.status = status;
    this.body = body ?? { statusCode: status, error: STATUS_CODES[status] ?? 'Error', message };
  }
}

/** The request can never succeed. */
export const badRequest = (message: string) => new PublicError(400, message);

/** The requested item does not exist. */
export const notFound = (message: string) => new PublicError(404, message);

/** The database is not available; the text is the one that clients of the incumbent know. */
export function databaseUnavailable(): PublicError {
  const error = 'The database service is unavailable';
  return new PublicError(503, error, { error });
}

/** A usage error: printed as one line, exit code 2, no stack trace. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The message of what was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Milliseconds after which a socket that stays open after the response is destroyed. */
const LINGER_MS = 2000;

/**
 * Sends a response on a socket without a response object, such as after invalid HTTP, and ends the connection. Nothing else
 * would close it: the server does not track such a socket, and the client may keep it open.
 */
export function sendRawResponse(
  socket: Duplex,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `X-Content-Type-Options: nosniff\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n` +
      `${more.join('')}Connection: close\r\n\r\n${text}`,
  );
  // Delayed: closing a socket with unread bytes resets it before the client has read the response.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

const BROKEN: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** The status for a request that could not be parsed, from the error code of the server. */
export const statusOfParseError = ({ code }: NodeJS.ErrnoException): number => BROKEN[code ?? ''] ?? 400;
