import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TakeableConnection } from '../http/takeable-connections.ts';

/** Milliseconds after which a client connects again. */
const RETRY_MS = 1_000;
const RETRY = `retry: ${RETRY_MS}\n\n`;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close', // nothing follows a stream, and its end is seen by everybody on the way
  'x-accel-buffering': 'no', // reverse proxies keep events back otherwise
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
};

/** What the messages of a stream are written to. */
export type StreamOutput = ServerResponse | Socket;

/** Whether a connection begins with a request for a stream of events, which may take the connection. */
export const isStreamRequest = (head: string): boolean => /^GET \/extended\/v1\/stream[? ]/.test(head);

/**
 * Begins the response of a stream and returns what it is written to: the socket, if the connection was opened for this request, else the
 * response. The body of the former has no length: it ends with the connection.
 */
export function beginStream(response: ServerResponse): StreamOutput {
  // Only of the response whose turn it is.
  const connection: unknown = response.socket;
  const socket = connection instanceof TakeableConnection ? connection.takeSocket() : undefined;
  if (!socket) {
    response.writeHead(200, HEADERS);
    response.write(RETRY);
    return response;
  }
  const headers = { ...response.getHeaders(), ...HEADERS, date: new Date().toUTCString() };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n${RETRY}`);
  // A client that ends its side has gone. Its errors end the connection, as those of any other one.
  socket.on('end', destroy).on('error', ignore).resume();
  return socket;
}

function destroy(this: Socket): void {
  this.destroy();
}

const ignore = () => {};
