import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { ErrorBody } from '../schemas/error.ts';
import { NodeAccount } from '../schemas/node/node-account.ts';
import { NodeHealth, NodeTenure } from '../schemas/node/node-chain.ts';
import {
  ClarityData,
  NodeContractInterface,
  NodeContractSource,
  ReadOnlyCall,
  ReadOnlyResult,
} from '../schemas/node/node-contract.ts';
import { NodeInfo } from '../schemas/node/node-info.ts';
import { NodePoolStatus } from '../schemas/node/node-pool.ts';
import { NodePox } from '../schemas/node/node-pox.ts';
import {
  FeeEstimate,
  FeeQuestion,
  TransactionAccepted,
  TransactionRejection,
  TransferFeeRate,
} from '../schemas/node/node-transaction.ts';
import { limitBodyBytes } from './byte-budget.ts';
import { infoRoute } from './info-route.ts';
import type { NodeProxy } from './node-proxy.ts';
import { measurePool } from './pool/metrics.ts';
import { renderPool } from './pool/status.ts';
import { broadcastRoute } from './transaction-route.ts';

type Documented = { method: 'GET' | 'POST'; url: string; schema: FastifySchema };

const tags = ['Node'];
const address = Type.String({ description: 'An account address.' });
const name = Type.String({ description: 'Name of the contract.' });
const contract = Type.Object({ address, name });
const atTip = Type.Object({
  tip: Type.Optional(Type.String({ description: 'Index block hash of another tip, or `latest`.' })),
  proof: Type.Optional(Type.String({ description: '0 leaves the proof out.' })),
});

/** Bodies are passed to the node unchanged: documented, not validated. */
const described = (schema: object, type = 'application/json') => ({ content: { [type]: { schema } } });

const refusal = (schema: object) => ({
  description: 'Refused: by a node, mostly in plain text, or by this service, in JSON.',
  content: {
    'application/json': { schema },
    'text/plain': { schema: Type.String({ description: 'The words of the node.' }) },
  },
});
const refused = { '4XX': refusal(ErrorBody) };

const get = (
  url: string,
  operationId: string,
  summary: string,
  answer: object,
  more: FastifySchema = {},
): Documented => ({
  method: 'GET',
  url,
  schema: { operationId, summary, tags, ...more, response: { 200: answer, ...refused } },
});

const post = (
  url: string,
  operationId: string,
  summary: string,
  answer: object,
  more: FastifySchema = {},
): Documented => ({
  method: 'POST',
  url,
  schema: { operationId, summary, tags, ...more, response: { 200: answer, ...refused } },
});

/** The most used node RPC endpoints; all other public paths are proxied in the same way. */
const documented: Documented[] = [
  get('/v2/info', 'get_node_info', 'How far the node is', NodeInfo),
  get('/v2/pox', 'get_node_pox', 'Proof-of-transfer as the node sees it', NodePox),
  get('/v2/fees/transfer', 'get_transfer_fee', 'Fee rate of plain transfers', TransferFeeRate),
  get('/v2/accounts/:principal', 'get_node_account', 'Balance and nonce of an account', NodeAccount, {
    params: Type.Object({ principal: Type.String({ description: 'An account or a contract.' }) }),
    querystring: atTip,
  }),
  get('/v2/contracts/source/:address/:name', 'get_node_contract_source', 'Source of a contract', NodeContractSource, {
    params: contract,
    querystring: atTip,
  }),
  get(
    '/v2/contracts/interface/:address/:name',
    'get_node_contract_interface',
    'Interface of a contract',
    NodeContractInterface,
    { params: contract, querystring: atTip },
  ),
  get('/v2/data_var/:address/:name/:variable', 'get_data_variable', 'Value of a data variable', ClarityData, {
    params: Type.Object({ address, name, variable: Type.String() }),
    querystring: atTip,
  }),
  post('/v2/map_entry/:address/:name/:map', 'get_map_entry', 'Entry of a data map', ClarityData, {
    params: Type.Object({ address, name, map: Type.String() }),
    body: described(Type.String({ description: 'The key as serialized Clarity value, hex, in quotes.' })),
  }),
  post(
    '/v2/contracts/call-read/:address/:name/:function',
    'call_read_only',
    'Call a read-only function',
    ReadOnlyResult,
    { params: Type.Object({ address, name, function: Type.String() }), body: described(ReadOnlyCall) },
  ),
  post(
    '/v2/contracts/call-read/:contract/:function',
    'call_read_only_by_contract_id',
    'Call a read-only function of a contract named in one piece',
    ReadOnlyResult,
    {
      params: Type.Object({ contract: Type.String({ description: 'ADDRESS.NAME' }), function: Type.String() }),
      body: described(ReadOnlyCall),
    },
  ),
  get('/v3/health', 'get_node_health', 'How far the node is behind its neighbours', NodeHealth),
  get('/v3/tenures/info', 'get_node_tenure', 'The tenure that the node is in', NodeTenure),
  get(
    '/v3/blocks/:block_id',
    'get_node_block',
    'A block as its bytes',
    described(Type.String({ description: 'The serialized block.' }), 'application/octet-stream'),
    { params: Type.Object({ block_id: Type.String({ description: 'Index block hash, without 0x.' }) }) },
  ),
  post('/v2/fees/transaction', 'estimate_fee', 'Fees that would do for a transaction', FeeEstimate, {
    body: described(FeeQuestion),
  }),
];

const broadcast = {
  operationId: 'broadcast_transaction',
  summary: 'Send a signed transaction to the nodes',
  description: 'Raw bytes, hex text, or JSON: a hex string, or {"tx": HEX, "attachment": HEX}.',
  tags,
  body: described(Type.String({ description: 'The serialized transaction.' }), 'application/octet-stream'),
  response: { 200: TransactionAccepted, 400: refusal(TransactionRejection), ...refused },
};

const status = {
  operationId: 'get_node_pool_status',
  summary: 'The nodes behind this service',
  tags: ['Status'],
  response: { 200: NodePoolStatus },
};

/** The node RPC of the pool, the broadcast of transactions, and the state of the pool. */
export function nodeRoutes(proxy: NodeProxy) {
  return async (app: FastifyInstance): Promise<void> => {
    const { pool, registry, bodyLimit } = proxy.options;
    if (registry) measurePool(registry, pool, proxy.broadcaster);
    const config = { freshness: 'none' } as const;
    const pass = (request: FastifyRequest, reply: FastifyReply) => {
      const path = proxy.pathOf(request.raw);
      const body = Buffer.isBuffer(request.body) ? request.body : null;
      const own = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
      reply.hijack();
      proxy.pass(path, { request: request.raw, response: reply.raw, body, own });
    };
    limitBodyBytes(app, bodyLimit);
    // Bodies are bytes here and are not validated against a schema.
    app.setValidatorCompiler(() => () => true);
    for (const { method, url, schema } of documented) app.route({ method, url, schema, config, handler: pass });
    for (const url of ['/v2/*', '/v3/*']) {
      app.route({ method: 'GET', url, schema: { hide: true }, config, handler: pass });
      app.route({ method: 'POST', url, schema: { hide: true }, config, handler: pass });
    }
    app.get('/extended/v2/info', { schema: infoRoute.schema, config }, infoRoute.handler(proxy));
    app.post('/v2/transactions', { schema: broadcast, config }, broadcastRoute(proxy));
    app.get('/extended/v1/status/nodes', { schema: status, config }, async () => renderPool(pool));
  };
}
