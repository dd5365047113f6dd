import { bareHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { transactionId } from '@cairn-stacks/codec/transaction/transaction';
import { PublicError } from '../errors.ts';
import { Places } from '../http/places.ts';
import type { Log } from '../log.ts';
import { MessageError } from '../node/message-error.ts';
import { RpcError, type RpcResponse } from '../node/rpc.ts';
import { MAX_ERROR_LENGTH, readSimulation, type Simulation, type SimulationAnswer } from '../node/simulation.ts';
import { checkTransaction } from './broadcast-check.ts';
import { type Failure, failureOf } from './failure.ts';
import type { NodePool } from './pool/node-pool.ts';
import type { PoolNode } from './pool/pool-node.ts';

export type SimulatorOptions = { pool: NodePool; network: Network; log: Pick<Log, 'warn'> };

/** What a node said: a result, a refusal of the transaction, or an error; `isLast` says that no other node is called. */
type Said = { simulation: Simulation } | { refused: string } | { error: PublicError; isLast: boolean };

const PATH = '/v3/transactions/simulate';
/** Simulations at the same time: each keeps a node busy as a block does. */
const MAX_AT_ONCE = 8;
const MAX_NODES = 3;
/** More than the events of any transaction. */
const MAX_RESPONSE_BYTES = 8 << 20;
const OPENS_A_TAG = 0x3c;
/** What a node without an `auth_token` of its own responds. */
const SWITCHED_OFF = /^\s*bad request\.?\s*$/i;

/** Lets nodes execute transactions on top of their tip; only those whose `auth_token` is known do. */
export class Simulator {
  readonly #options: SimulatorOptions;
  readonly #places = new Places(MAX_AT_ONCE);
  /** Nodes whose refusal of the secret was logged. */
  readonly #logged = new WeakSet<PoolNode>();

  constructor(options: SimulatorOptions) {
    this.#options = options;
  }

  /** Throws a PublicError that names the node if it sends nonsense, and what to configure if none may be asked. */
  async simulate(raw: Uint8Array, context: Readonly<Record<string, string>>): Promise<SimulationAnswer> {
    // A simulation needs no fee beyond what its sender has.
    const checked = checkTransaction(raw, this.#options.network, 0n);
    if ('reason' in checked) return { node: undefined, refused: wordsOf(checked) };
    this.#places.take();
    try {
      return await this.#askNodes(raw, context);
    } finally {
      this.#places.leave();
    }
  }

  async #askNodes(raw: Uint8Array, context: Readonly<Record<string, string>>): Promise<SimulationAnswer> {
    const { pool } = this.#options;
    const except = pool.nodes.filter(({ hasSecret }) => !hasSecret);
    if (pool.nodes.length === 0) throw new PublicError(503, 'This service has no node behind it: set CAIRN_NODES');
    if (except.length === pool.nodes.length) {
      throw new PublicError(
        503,
        'No node of this service may be asked to simulate: add |auth=TOKEN, the auth_token of the node, to its address in CAIRN_NODES',
      );
    }
    let error = new PublicError(503, 'No node that simulates can be reached at the moment; try again shortly');
    for (let asked = 0; asked < MAX_NODES; asked++) {
      const node = pool.choose({ except });
      if (!node) break;
      except.push(node);
      const said = await this.#ask(node, raw, context);
      if (!('error' in said)) return { node: node.name, height: node.height, ...said };
      error = said.error;
      if (said.isLast) break;
    }
    throw error;
  }

  async #ask(node: PoolNode, raw: Uint8Array, context: Readonly<Record<string, string>>): Promise<Said> {
    const headers = { ...context, 'content-type': 'application/json' };
    const body = Buffer.from(JSON.stringify({ transaction_hex: bareHex(raw) }));
    const limits = { timeoutMs: this.#options.pool.options.timeoutMs, maxBytes: MAX_RESPONSE_BYTES, guarded: true };
    const started = performance.now();
    node.inFlight++;
    try {
      const response = await node.rpc.call({ method: 'POST', path: PATH, headers, body }, limits);
      const said = this.#read(node, response, transactionId(raw));
      if ('failure' in said) return failed(node, said.failure);
      node.answered(performance.now() - started);
      return said;
    } catch (error) {
      return failed(node, error instanceof RpcError ? { kind: 'nonsense', detail: error.message } : kindOf(error));
    } finally {
      node.inFlight--;
    }
  }

  #read(node: PoolNode, { status, type, body }: RpcResponse, txId: Uint8Array): Said | { failure: Failure } {
    const nonsense = (detail: string) => ({ failure: { kind: 'nonsense', detail } as const });
    if (type.startsWith('text/html') || body[0] === OPENS_A_TAG) return nonsense('it sent HTML');
    if (status === 200) {
      try {
        return { simulation: readSimulation(body, txId) };
      } catch (error) {
        if (error instanceof MessageError) return nonsense(error.message);
        throw error;
      }
    }
    const text = node.rpc.conceal(body.toString('utf8')).slice(0, MAX_ERROR_LENGTH);
    if (status === 401 || status === 403 || (status === 400 && SWITCHED_OFF.test(text)))
      return this.#locked(node, status);
    if (status === 404) return isNot(node, 'it has no /v3/transactions/simulate: its release is too old');
    if (status === 400) return { refused: text };
    if (status >= 500) return { failure: { kind: 'status', detail: `status ${status}` } };
    return nonsense(`it sent the status ${status}`);
  }

  /** The node does not take the secret, or has none; logged once, for the operator. */
  #locked(node: PoolNode, status: number): Said {
    const reason =
      status === 400
        ? 'it has no auth_token: set one in its configuration, and the same as |auth=TOKEN in CAIRN_NODES'
        : 'it refuses the auth=TOKEN of CAIRN_NODES: that must be its auth_token';
    if (!this.#logged.has(node))
      this.#options.log.warn({ node: node.name, status }, `a node cannot simulate: ${reason}`);
    this.#logged.add(node);
    return isNot(node, reason);
  }
}

const isNot = (node: PoolNode, reason: string): Said => ({
  error: new PublicError(502, `The node ${node.name} cannot simulate: ${reason}`),
  isLast: false,
});

/** Counts the failure of a node; what took too long once is not given to another node. */
function failed(node: PoolNode, failure: Failure): Said {
  node.failed(failure);
  return { error: errorOf(node.name, failure), isLast: failure.kind === 'timeout' };
}

/** Texts of the client library name addresses. */
function kindOf(error: unknown): Failure {
  const { kind } = failureOf(error);
  return { kind, detail: kind === 'nonsense' ? 'it does not speak HTTP' : kind };
}

/** Names the node, but neither its address nor what it sent. */
function errorOf(node: string, { kind, detail }: Failure): PublicError {
  switch (kind) {
    case 'timeout':
      return new PublicError(504, `The node ${node} did not finish the simulation in time`);
    case 'nonsense':
      return new PublicError(502, `The node ${node} sent no usable response to the simulation: ${detail}`);
    case 'status':
      return new PublicError(502, `The node ${node} failed to simulate the transaction (${detail})`);
    default:
      return new PublicError(502, `The connection to the node ${node} broke; try again shortly`);
  }
}

const wordsOf = ({ reason, reason_data: data }: { reason: string; reason_data?: Record<string, unknown> }) =>
  typeof data?.message === 'string' ? `${reason}: ${data.message}` : reason;
