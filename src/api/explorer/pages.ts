import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../errors.ts';
import type { ExplorerFile, ExplorerFiles } from './files.ts';

/** The addresses of pages. Only clients that accept HTML get the page; all others get the 404 of an unknown path. */
const pagePaths = [
  '/account/:principal',
  '/block/:block',
  '/blocks',
  '/burn-block/:block',
  '/collections',
  '/contract/:contract',
  '/mempool',
  '/name/:name',
  '/names',
  '/sbtc',
  '/search',
  '/signer/:signer',
  '/stacking',
  '/status',
  '/tenure/:tenure',
  '/token/:asset',
  '/tokens',
  '/contracts',
  '/transactions',
  '/tx/:tx_id',
];

/** Addresses of other explorers, which wallets and pages link to, and where they lead here. Their query names a network or a node. */
const foreignPaths: Readonly<Record<string, (parameter: string) => string>> = {
  '/txid/:id': id => (id.includes('.') ? `/contract/${id}` : `/tx/${id}`),
  '/address/:id': id => (id.includes('.') ? `/contract/${id}` : `/account/${id}`),
  '/btcblock/:id': id => `/burn-block/${id}`,
  '/microblock/:id': id => `/search?q=${id}`,
  '/signers': () => '/stacking',
};

/** Paths of programs: an unknown one below them is answered as the others are, also in a browser. */
const API_PATH =
  /^\/(extended|v1|v2|v3|metadata|signer-metrics|rosetta|assets|schemas|docs|mcp|pictures|socket\.io)(\/|\?|$)/;

/** A name contains the hash of its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Nothing from another origin and no inline script or style. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Pictures of tokens that are in their metadata; as pictures, they run no script.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The API reference sets style attributes in its markup. */
const DOCS_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

/** Serves the pages and files of the built explorer. */
export function explorerPages(files: ExplorerFiles): FastifyPluginAsync {
  return async app => {
    for (const path of pagePaths) {
      app.get(path, { schema: { hide: true } }, async (request, reply) => {
        if (!acceptsHtml(request)) return reply.header('vary', 'accept').callNotFound();
        return sendPage(request, reply, files);
      });
    }
    for (const [path, leadsTo] of Object.entries(foreignPaths)) {
      app.get<{ Params: { id?: string } }>(path, { schema: { hide: true } }, async (request, reply) => {
        if (!acceptsHtml(request)) return reply.header('vary', 'accept').callNotFound();
        return reply.header('vary', 'accept').redirect(leadsTo(encodeURIComponent(request.params.id ?? '')), 302);
      });
    }
    app.get<{ Params: { file: string } }>('/assets/:file', { schema: { hide: true } }, async (request, reply) => {
      const file = files.assets.get(request.params.file);
      if (!file) throw notFound('No file has this name. The explorer was built again: reload the page');
      return sendFile(request, reply.header('cache-control', IMMUTABLE), file);
    });
  };
}

export function sendPage(request: FastifyRequest, reply: FastifyReply, { page }: ExplorerFiles): FastifyReply {
  return sendHtml(request, reply, page, PAGE_POLICY);
}

/** The page that says that there is no such address, for a browser that was led to one; undefined for all others. */
export function unknownPage(files: ExplorerFiles) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
    if (request.method !== 'GET' || API_PATH.test(request.url) || !acceptsHtml(request)) return undefined;
    return sendPage(request, reply.code(404), files);
  };
}

export function sendDocs(request: FastifyRequest, reply: FastifyReply, { docs }: ExplorerFiles): FastifyReply {
  return sendHtml(request, reply, docs, DOCS_POLICY);
}

/** Whether the client names HTML: a browser that opens a page does, a program that accepts anything does not. */
export function acceptsHtml(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').split(',').some(entry => {
    const [type, ...parameters] = entry.split(';').map(part => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter));
  });
}

function sendHtml(request: FastifyRequest, reply: FastifyReply, file: ExplorerFile, policy: string): FastifyReply {
  reply.headers({
    'cache-control': 'no-cache',
    'content-security-policy': policy,
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  return sendFile(request, reply, file);
}

/** Sends the smallest variant that the client accepts. */
function sendFile(request: FastifyRequest, reply: FastifyReply, { type, plain, br, gzip }: ExplorerFile): FastifyReply {
  const accepted = request.headers['accept-encoding'] ?? '';
  reply.type(type).header('vary', 'accept, accept-encoding');
  if (br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(br);
  if (gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(gzip);
  return reply.send(plain);
}
