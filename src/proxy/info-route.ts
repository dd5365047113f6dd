import type { FastifyReply, FastifyRequest } from 'fastify';
import { FullNodeInfo } from '../schemas/node/node-info.ts';
import type { Outlet } from './exchange.ts';
import type { Failure } from './failure.ts';
import type { NodeProxy } from './node-proxy.ts';

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

  handler: (proxy: NodeProxy) => (request: FastifyRequest, reply: FastifyReply) => {
    const fail = (failure: Failure | undefined) => {
      void proxy.fallBack(PATH, 'GET', failure, request.raw).then(({ status, headers, body }) => {
        reply
          .code(status)
          .headers(headers)
          .send(status === 200 ? complete(body as object) : body);
      });
    };
    const outlet: Outlet = {
      respond(node, { status }, body) {
        const info = status === 200 ? completeInfo(body) : undefined;
        if (!info) return fail({ kind: 'nonsense', detail: 'no info' });
        reply.header('x-stacks-node', node.name).header('x-stacks-node-height', node.height).send(info);
      },
      stream() {
        fail({ kind: 'large', detail: 'an info of this size' });
        return { write: () => true, end() {}, fail() {} };
      },
      fail,
    };
    proxy.exchange(PATH, { request: request.raw, response: reply.raw, body: null, own: [] }, outlet);
  },
};

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
