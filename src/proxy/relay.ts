import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Head, Sink } from './attempt.ts';
import type { Outlet } from './exchange.ts';
import type { Lifetime } from './paths.ts';
import type { PoolNode } from './pool/pool-node.ts';

/** Which headers of a response reach a client; CORS headers, cookies and names of servers do not. */
export type RelayRules = {
  lifetime: Lifetime;
  passed: readonly string[];
  /** Adds headers that describe the node. */
  describe?: (node: PoolNode) => string[];
};

const CACHE_CONTROL = { immutable: 'public, max-age=31536000, immutable', tip: 'public, no-cache, must-revalidate' };

/** Time limits after which a client that reads nothing, or a response as a whole, is aborted. */
const STALL_MS = 30_000;
const STREAM_MS = 600_000;

/** A request of a client and its response. */
export type Client = {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer | null;
  /** Alternating names and values of the headers that every response has. */
  own: readonly string[];
  /** Called when the response is sent or the client has disconnected. */
  onClose?: (() => void) | undefined;
};

/** Sends a response to a client; `fail` sends an error response. */
export function relayTo({ request, response, own }: Client, rules: RelayRules, fail: Outlet['fail']): Outlet {
  const bodyless = request.method === 'HEAD';
  return {
    respond(node, head, body) {
      const headers = headersOf(own, node, head, rules);
      if (head.status === 200 && rules.lifetime === 'tip' && request.method === 'GET') {
        const etag = etagOf(body);
        headers.push('etag', etag);
        if (request.headers['if-none-match']?.includes(etag)) return void response.writeHead(304, headers).end();
      }
      if (head.status !== 304) headers.push('content-length', String(body.length));
      response.writeHead(head.status, headers).end(bodyless ? undefined : body);
    },
    stream(node, head, resume) {
      const headers = headersOf(own, node, head, rules);
      const length = head.headers['content-length'];
      if (length !== undefined) headers.push('content-length', length);
      response.writeHead(head.status, headers);
      return sinkOf(response, resume, bodyless);
    },
    fail,
  };
}

/** Sends a small JSON response of this service. */
export function sendJson({ request, response, own }: Client, status: number, more: readonly string[], value: unknown) {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify(value);
  const length = String(Buffer.byteLength(body));
  const type = ['content-type', 'application/json; charset=utf-8', 'content-length', length];
  response.writeHead(status, [...own, ...more, ...type]).end(request.method === 'HEAD' ? undefined : body);
}

/** 128 bits of a hash, so that different content has a different ETag. */
const etagOf = (body: Buffer) => `"n-${hash('sha256', body, 'base64url').slice(0, 22)}"`;

/** As an array, the fastest form for `writeHead`. */
function headersOf(
  own: readonly string[],
  node: PoolNode,
  { status, headers }: Head,
  { lifetime, passed, describe }: RelayRules,
): string[] {
  const control =
    headers['cache-control'] ?? (status === 200 && lifetime !== 'none' ? CACHE_CONTROL[lifetime] : undefined);
  const all: string[] = [];
  for (let i = 0; i < own.length; i += 2) {
    const name = own[i]!;
    all.push(name, name === 'cache-control' && control !== undefined ? control : own[i + 1]!);
  }
  for (const name of passed) {
    const value = headers[name];
    if (value !== undefined) all.push(name, String(value));
  }
  if (describe) all.push(...describe(node));
  return all;
}

/** Writes chunks at the speed of the client; a stalled client or a broken response ends the connection. */
function sinkOf(raw: ServerResponse, resume: () => void, bodyless: boolean): Sink {
  let stall: NodeJS.Timeout | undefined;
  const longest = setTimeout(() => raw.destroy(), STREAM_MS);
  raw.on('drain', () => {
    clearTimeout(stall);
    resume();
  });
  raw.once('close', () => {
    clearTimeout(stall);
    clearTimeout(longest);
  });
  return {
    write(chunk) {
      if (bodyless || raw.destroyed) return true;
      if (raw.write(chunk)) return true;
      clearTimeout(stall);
      stall = setTimeout(() => raw.destroy(), STALL_MS);
      return false;
    },
    end: () => void raw.end(),
    // The head is already sent: only a closed connection shows that the rest is missing.
    fail: () => void raw.destroy(),
  };
}
