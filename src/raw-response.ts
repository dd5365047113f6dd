import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** A sender that was told to go and stays is cut off after this. */
const LINGER_MS = 2000;

/**
 * Answers on a socket that has no response of its own, as one whose bytes are no HTTP, and ends the connection. Nothing else
 * would close it: the server no longer looks after such a socket, and the other side need not hang up.
 */
export function sendRawResponse(socket: Duplex, status: number, body: object, retryAfter?: number): void {
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n` +
      `${retryAfter === undefined ? '' : `Retry-After: ${retryAfter}\r\n`}Connection: close\r\n\r\n${text}`,
  );
  // Not at once: a socket closed with unread bytes would be reset before its sender has read the answer.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

const BROKEN: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** The status for a request that could not be read, by what the server said of it. */
export const statusOfParseError = ({ code }: NodeJS.ErrnoException): number => BROKEN[code ?? ''] ?? 400;
