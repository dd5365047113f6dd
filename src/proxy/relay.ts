import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Head, Sink } from './attempt.ts';
import type { Outlet } from './exchange.ts';
import type { Failure } from './failure.ts';
import type { Lifetime } from './paths.ts';
import type { PoolNode } from './pool-node.ts';

/** The only headers of a node that reach a client; its CORS headers, cookies and names stay inside. */
const PASSED = [
  'content-type',
  'content-encoding',
  'cache-control',
  'last-modified',
  'x-canonical-stacks-tip-height',
] as const;

const CACHE_CONTROL = { immutable: 'public, max-age=31536000, immutable', tip: 'public, no-cache, must-revalidate' };

/** A client that reads nothing for so long is dropped, as is an answer that takes so long in all. */
const STALL_MS = 30_000;
const STREAM_MS = 600_000;

export type Relay = {
  request: FastifyRequest;
  reply: FastifyReply;
  lifetime: Lifetime;
  /** Answers when no node did. */
  onFailure(failure: Failure | undefined): void;
};

/** Brings the answer of a node to the client of a request. */
export function relayTo({ request, reply, lifetime, onFailure }: Relay): Outlet {
  const bodyless = request.method === 'HEAD';
  return {
    answer(node, head, body) {
      const headers = headersOf(reply, node, head, lifetime);
      if (head.status === 200 && lifetime === 'tip' && !bodyless && request.method === 'GET') {
        const etag = `"n-${hash('sha1', body, 'base64url').slice(0, 16)}"`;
        headers.etag = etag;
        if (request.raw.headers['if-none-match']?.includes(etag)) return write(reply, 304, headers, undefined);
      }
      headers['content-length'] = body.length;
      write(reply, head.status, headers, bodyless ? undefined : body);
    },
    stream(node, head, resume) {
      const headers = headersOf(reply, node, head, lifetime);
      const length = head.headers['content-length'];
      if (length !== undefined) headers['content-length'] = length;
      reply.hijack();
      reply.raw.writeHead(head.status, headers);
      return sinkOf(reply.raw, resume, bodyless);
    },
    fail: onFailure,
  };
}

type Headers = Record<string, string | number | string[]>;

function headersOf(reply: FastifyReply, node: PoolNode, { status, headers }: Head, lifetime: Lifetime): Headers {
  const all = { ...reply.getHeaders() } as Headers;
  if (status === 200 && lifetime !== 'none') all['cache-control'] = CACHE_CONTROL[lifetime];
  passOn(headers, all);
  all['x-stacks-node'] = node.name;
  if (node.height >= 0) all['x-stacks-node-height'] = node.height;
  return all;
}

function passOn(from: IncomingHttpHeaders, to: Headers): void {
  for (const name of PASSED) {
    const value = from[name];
    if (value !== undefined) to[name] = value;
  }
}

function write(reply: FastifyReply, status: number, headers: Headers, body: Buffer | undefined): void {
  reply.hijack();
  reply.raw.writeHead(status, headers);
  reply.raw.end(body);
}

/** Writes pieces at the pace of the client; one that stalls, or an answer that breaks, ends the connection. */
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
    // The head is gone: a cut connection is the only way left to say that the rest is missing.
    fail: () => void raw.destroy(),
  };
}
