import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { ErrorBody } from '../http/error-body.ts';
import { limitBodyBytes } from './byte-budget.ts';
import { infoRoute } from './info-route.ts';
import type { NodeProxy } from './node-proxy.ts';
import { measurePool } from './pool/metrics.ts';
import { renderPool } from './pool/status.ts';
import { NodeAccount } from './schemas/node-account.ts';
import { NodeHealth, NodeTenure } from './schemas/node-chain.ts';
import {
  ClarityData,
  NodeContractInterface,
  NodeContractSource,
  ReadOnlyCall,
  ReadOnlyResult,
} from './schemas/node-contract.ts';
import { NodeInfo } from './schemas/node-info.ts';
import { NodePoolStatus } from './schemas/node-pool.ts';
import { NodePox } from './schemas/node-pox.ts';
import {
  FeeEstimate,
  FeeQuestion,
  TransactionAccepted,
  TransactionRejection,
  TransferFeeRate,
} from './schemas/node-transaction.ts';
import { broadcastRoute } from './transaction-route.ts';

type Documented = { method: 'GET' | 'POST'; url: string; schema: FastifySchema };

const tags = ['Node'];
const address = Type.String({ description: 'The address of the contract.' });
const name = Type.String({ description: 'The name of the contract.' });
const contract = Type.Object({ address, name });
const atTip = Type.Object({
  tip: Type.Optional(
    Type.String({ description: 'Index block hash of the block to read at, or `latest`. The default is the tip.' }),
  ),
  proof: Type.Optional(Type.String({ description: 'Pass `0` to leave the Merkle proof out of the response.' })),
});

/** Bodies are passed to the node unchanged: documented, not validated. */
const described = (schema: object, type = 'application/json') => ({ content: { [type]: { schema } } });

const refusal = (schema: object) => ({
  description: 'The request was rejected by a node (mostly in plain text) or by this service (in JSON).',
  content: {
    'application/json': { schema },
    'text/plain': { schema: Type.String({ description: 'The error message of the node.' }) },
  },
});
const refused = { '4XX': refusal(ErrorBody) };

const get = (
  url: string,
  operationId: string,
  summary: string,
  okSchema: object,
  more: FastifySchema = {},
): Documented => ({
  method: 'GET',
  url,
  schema: { operationId, summary, tags, ...more, response: { 200: okSchema, ...refused } },
});

const post = (
  url: string,
  operationId: string,
  summary: string,
  okSchema: object,
  more: FastifySchema = {},
): Documented => ({
  method: 'POST',
  url,
  schema: { operationId, summary, tags, ...more, response: { 200: okSchema, ...refused } },
});

/** The most used node RPC endpoints; all other public paths are proxied in the same way. */
const documented: Documented[] = [
  get('/v2/info', 'get_node_info', 'Get node information', NodeInfo, {
    description: 'Returns versions, network and chain tip of a node. If no node responds, the index does.',
  }),
  get('/v2/pox', 'get_node_pox', 'Get PoX information', NodePox, {
    description: 'Returns the Proof-of-Transfer parameters and cycles as a node sees them. Amounts are in micro-STX.',
  }),
  get('/v2/fees/transfer', 'get_transfer_fee', 'Get the fee rate of transfers', TransferFeeRate, {
    description: 'Returns the fee rate of STX transfers in micro-STX per byte.',
  }),
  get('/v2/accounts/:principal', 'get_node_account', 'Get the balance and nonce of an account', NodeAccount, {
    description: 'Returns an account as a node sees it. An unknown account has balance and nonce 0.',
    params: Type.Object({ principal: Type.String({ description: 'An account address or a contract identifier.' }) }),
    querystring: atTip,
  }),
  get(
    '/v2/contracts/source/:address/:name',
    'get_node_contract_source',
    'Get the source code of a contract',
    NodeContractSource,
    {
      description: 'The status is 404 if the contract does not exist.',
      params: contract,
      querystring: atTip,
    },
  ),
  get(
    '/v2/contracts/interface/:address/:name',
    'get_node_contract_interface',
    'Get the interface of a contract',
    NodeContractInterface,
    { description: 'The status is 404 if the contract does not exist.', params: contract, querystring: atTip },
  ),
  get('/v2/data_var/:address/:name/:variable', 'get_data_variable', 'Get a data variable of a contract', ClarityData, {
    description: 'The status is 404 if the contract or the variable does not exist.',
    params: Type.Object({ address, name, variable: Type.String({ description: 'The name of the data variable.' }) }),
    querystring: atTip,
  }),
  post('/v2/map_entry/:address/:name/:map', 'get_map_entry', 'Get a map entry of a contract', ClarityData, {
    description: 'Returns the serialized value of a key, or the serialized `none` if the map has no such entry.',
    params: Type.Object({ address, name, map: Type.String({ description: 'The name of the map.' }) }),
    body: described(Type.String({ description: 'The key: a serialized Clarity value in hex, as a JSON string.' })),
  }),
  post(
    '/v2/contracts/call-read/:address/:name/:function',
    'call_read_only',
    'Call a read-only function',
    ReadOnlyResult,
    {
      description: 'Runs the function at the tip. `okay` is false if it could not be run.',
      params: Type.Object({ address, name, function: Type.String({ description: 'The name of the function.' }) }),
      body: described(ReadOnlyCall),
    },
  ),
  post(
    '/v2/contracts/call-read/:contract/:function',
    'call_read_only_by_contract_id',
    'Call a read-only function by contract identifier',
    ReadOnlyResult,
    {
      description:
        'The same as `/v2/contracts/call-read/{address}/{name}/{function}`, with the contract as `ADDRESS.NAME`.',
      params: Type.Object({
        contract: Type.String({ description: 'The contract identifier, as `ADDRESS.NAME`.' }),
        function: Type.String({ description: 'The name of the function.' }),
      }),
      body: described(ReadOnlyCall),
    },
  ),
  get('/v3/health', 'get_node_health', 'Get the health of a node', NodeHealth, {
    description: 'Returns how many blocks a node is behind the highest of its peers.',
  }),
  get('/v3/tenures/info', 'get_node_tenure', 'Get the current tenure', NodeTenure, {
    description: 'Returns the tenure that a node is in, with the block ids of its start and of the tip.',
  }),
  get(
    '/v3/blocks/:block_id',
    'get_node_block',
    'Get the raw bytes of a block',
    described(Type.String({ description: 'The serialized block.' }), 'application/octet-stream'),
    {
      description: 'The status is 404 if the nodes do not have the block.',
      params: Type.Object({ block_id: Type.String({ description: 'Index block hash in hex, without `0x`.' }) }),
    },
  ),
  post('/v2/fees/transaction', 'estimate_fee', 'Estimate the fee of a transaction', FeeEstimate, {
    description: 'Returns a low, a middle and a high fee in micro-STX. The status is 400 if the node has no estimate.',
    body: described(FeeQuestion),
  }),
];

const broadcast = {
  operationId: 'broadcast_transaction',
  summary: 'Broadcast a transaction',
  description:
    'Sends a signed transaction to the nodes. The body is the raw bytes, hex text, or JSON: a hex string, or ' +
    '`{"tx": HEX, "attachment": HEX}`. The response is the transaction id. The status is 400 with a `reason` if the ' +
    'nodes reject the transaction.',
  tags,
  body: described(Type.String({ description: 'The serialized transaction.' }), 'application/octet-stream'),
  response: { 200: TransactionAccepted, 400: refusal(TransactionRejection), ...refused },
};

const status = {
  operationId: 'get_node_pool_status',
  summary: 'Get the status of the node pool',
  description: 'Returns the state of each Stacks node that this service uses.',
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
