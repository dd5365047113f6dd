import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Milliseconds after which a socket that stays open after the response is destroyed. */
const LINGER_MS = 2000;

/**
 * Sends a response on a socket without a response object, such as after invalid HTTP, and ends the connection. Nothing else
 * would close it: the server does not track such a socket, and the client may keep it open.
 */
export function sendRawResponse(socket: Duplex, status: number, body: object, retryAfter?: number): void {
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n` +
      `${retryAfter === undefined ? '' : `Retry-After: ${retryAfter}\r\n`}Connection: close\r\n\r\n${text}`,
  );
  // Delayed: closing a socket with unread bytes resets it before the client has read the response.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

const BROKEN: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** The status for a request that could not be parsed, from the error code of the server. */
export const statusOfParseError = ({ code }: NodeJS.ErrnoException): number => BROKEN[code ?? ''] ?? 400;
