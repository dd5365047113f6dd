import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PublicError } from '../errors.ts';
import type { Outlet } from './exchange.ts';
import type { Failure } from './failure.ts';
import type { NodeProxy, OwnResponse } from './node-proxy.ts';
import { FullNodeInfo } from './schemas/node-info.ts';

/** The status by which proxies log a client that has left; nobody receives it. */
const CLIENT_CLOSED = 499;
const PATH = { target: '/v2/info', path: '/v2/info', guarded: false };

/** Node information under its own path: every field is present, also those that newer nodes omit. */
export const infoRoute = {
  schema: {
    operationId: 'get_info',
    summary: 'Get node information with all fields',
    description:
      'Returns the same as `/v2/info`. Every field is always present: a missing number is 0 and a missing text is ' +
      'empty.',
    tags: ['Node'],
    response: { 200: FullNodeInfo },
  },

  handler: (proxy: NodeProxy) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { status, headers, body } = await requestInfo(proxy, request.raw, reply.raw);
    return reply.code(status).headers(headers).send(body);
  },
};

/** Resolves with the information of a node, or with that of the index. */
function requestInfo(proxy: NodeProxy, request: IncomingMessage, response: ServerResponse): Promise<OwnResponse> {
  return new Promise((resolve, reject) => {
    const fail = (failure: Failure | undefined) => {
      proxy
        .fallBack(PATH, 'GET', failure, request)
        .then(own => resolve(own.status === 200 ? { ...own, body: complete(own.body as object) } : own), reject);
    };
    const outlet: Outlet = {
      respond({ name, height }, { status }, bytes) {
        const body = status === 200 ? completeInfo(bytes) : undefined;
        if (!body) return fail({ kind: 'nonsense', detail: 'no info' });
        const known = height < 0 ? {} : { 'x-stacks-node-height': String(height) };
        resolve({ status: 200, headers: { 'x-stacks-node': name, ...known }, body });
      },
      stream() {
        fail({ kind: 'large', detail: 'an info of this size' });
        return { write: () => true, end() {}, fail() {} };
      },
      fail,
    };
    // A client that leaves ends the exchange, which then calls nothing.
    const onClose = () => reject(new PublicError(CLIENT_CLOSED, 'The client has disconnected'));
    proxy.exchange(PATH, { request, response, body: null, own: [], onClose }, outlet);
  });
}

function completeInfo(body: Buffer): FullNodeInfo | undefined {
  let info: unknown;
  try {
    info = JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
  if (info === null || typeof info !== 'object') return undefined;
  return complete(info);
}

/** Missing and null fields become an empty text or zero. */
function complete(info: object): FullNodeInfo {
  const known = Object.entries(info).filter(([, value]) => value !== null);
  return { ...NOTHING, ...Object.fromEntries(known) };
}

const NOTHING: FullNodeInfo = {
  peer_version: 0,
  pox_consensus: '',
  burn_block_height: 0,
  stable_pox_consensus: '',
  stable_burn_block_height: 0,
  server_version: '',
  network_id: 0,
  parent_network_id: 0,
  stacks_tip_height: 0,
  stacks_tip: '',
  stacks_tip_consensus_hash: '',
  unanchored_tip: '',
  exit_at_block_height: 0,
};
