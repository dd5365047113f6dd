import { CodecError } from '@cairn-stacks/codec/error';
import { bareHex, fromHex, toHex } from '@cairn-stacks/codec/hex';
import { eventJson } from '../chain/event-json.ts';
import type { DevnetNode } from '../node/devnet-node.ts';
import type { SimulatedTransaction } from '../node/simulated-transaction.ts';
import { badRequest, notFound, type RpcResponse, type RpcRoute } from './route.ts';
import { blockAtTip } from './tip.ts';

/** The `auth_token` of the node. */
export const authToken = 'devnet';

/** What the transactions of a tenure may use. */
const tenureLimit = {
  write_length: 15_000_000,
  write_count: 15_000,
  read_length: 100_000_000,
  read_count: 15_000,
  runtime: 5_000_000_000,
};

/** Executes a transaction without mining it, for those who know the `auth_token`. */
export function simulationRoutes(node: DevnetNode): RpcRoute[] {
  return [
    {
      method: 'POST',
      path: /^\/v3\/transactions\/simulate$/,
      async respond({ authorization, type, query, body }) {
        if (authorization !== authToken) return { status: 401, text: 'Unauthorized' };
        if (!type.includes('json')) return badRequest('Wrong Content-Type; expected application/json');
        return simulation(node, await body(), query);
      },
    },
  ];
}

/** The response of a node to a request for a simulation. */
export function simulation(node: DevnetNode, body: Uint8Array, query = new URLSearchParams()): RpcResponse {
  const bytes = readTransaction(body);
  if ('status' in bytes) return bytes;
  const parent = blockAtTip(node, query);
  if (!parent) return notFound('No such chain tip');
  if (!parent.header) return badRequest('Chain tip is not a Nakamoto block');
  const simulated = node.simulate(bytes.raw, parent);
  if ('executed' in simulated) return { json: simulationJson(simulated, node) };
  const { reason, reason_data: data } = simulated;
  const details = data === undefined ? '' : ` ${JSON.stringify(data)}`;
  return badRequest(`Error processing transaction: ${reason}${details}`);
}

function readTransaction(body: Uint8Array): { raw: Uint8Array } | { status: number; text: string } {
  try {
    const json = JSON.parse(Buffer.from(body).toString('utf8')) as { transaction_hex?: unknown } | null;
    const hex = json?.transaction_hex;
    if (typeof hex !== 'string' || hex.startsWith('0x')) throw new CodecError('transaction_hex is not bare hex', 0);
    return { raw: fromHex(hex) };
  } catch (error) {
    if (!(error instanceof CodecError || error instanceof SyntaxError)) throw error;
    return { status: 400, text: `Failed to parse body: ${error.message}` };
  }
}

function simulationJson({ executed, parent, height }: SimulatedTransaction, { chain }: DevnetNode): object {
  const { txId, status, events, result, cost, vmError } = executed;
  return {
    txid: txId.slice(2),
    tip_block_id: parent.indexHash.slice(2),
    consensus_hash: bareHex(parent.tenure.consensusHash),
    block_height: height,
    result_hex: toHex(result),
    stx_burned: Number(events.reduce((sum, event) => sum + (event.kind === 'stx_burn' ? event.amount : 0n), 0n)),
    execution_cost: cost,
    execution_limit: tenureLimit,
    events: events.map((event, index) => {
      const { type, body } = eventJson(event, chain.release);
      return { txid: txId, event_index: index, committed: true, type, [type]: body };
    }),
    post_condition_aborted: status === 'abort_by_post_condition',
    vm_error: vmError,
  };
}
