import type { RpcResponse } from '../node/rpc.ts';
import { type Broadcast, writeBroadcast } from './broadcast-body.ts';
import { type Failure, failureOf } from './failure.ts';
import type { NodePool } from './pool/node-pool.ts';
import type { PoolNode } from './pool/pool-node.ts';

/** Result of a broadcast: the response of a node (accepted or rejected), or the reason why there is none. */
export type Outcome =
  | { kind: 'accepted' | 'rejected'; node: PoolNode; response: RpcResponse }
  | { kind: 'failed'; failure: Failure | undefined };

const MAX_RESPONSE_BYTES = 1 << 20;

/** Sends transactions to several nodes in parallel. */
export class Broadcaster {
  readonly #pool: NodePool;
  readonly #most: number;
  readonly counts = { accepted: 0, rejected: 0, failed: 0 };

  constructor(pool: NodePool, most: number) {
    this.#pool = pool;
    this.#most = most;
  }

  /** Resolves with the first acceptance; without one, with the rejection of the best node that responded. */
  async send(
    broadcast: Broadcast,
    accounts: readonly string[],
    context: Record<string, string> = {},
  ): Promise<Outcome> {
    const nodes = this.#chooseNodes(accounts);
    const { headers, body } = writeBroadcast(broadcast);
    const call = { method: 'POST' as const, path: '/v2/transactions', headers: { ...context, ...headers }, body };
    const sent = nodes.map(node => this.#sendTo(node, call));
    const outcome = await firstAccepted(sent);
    this.counts[outcome.kind]++;
    return outcome;
  }

  /** The best nodes, starting with the one that accepted the sender's last transaction. */
  #chooseNodes(accounts: readonly string[]): PoolNode[] {
    const chosen: PoolNode[] = [];
    const prefer = accounts.map(account => this.#pool.sticky.find(account)).find(node => node !== undefined);
    while (chosen.length < this.#most) {
      const node = this.#pool.choose({ except: chosen, prefer });
      if (!node) break;
      chosen.push(node);
    }
    return chosen;
  }

  async #sendTo(node: PoolNode, call: Parameters<PoolNode['rpc']['call']>[0]): Promise<Outcome> {
    const started = performance.now();
    node.inFlight++;
    try {
      const limits = { timeoutMs: this.#pool.options.timeoutMs, maxBytes: MAX_RESPONSE_BYTES };
      const response = await node.rpc.call(call, limits);
      const failure = judge(response);
      if (failure) {
        node.failed(failure);
        return { kind: 'failed', failure };
      }
      node.answered(performance.now() - started);
      return { kind: response.status === 200 ? 'accepted' : 'rejected', node, response };
    } catch (error) {
      const failure = failureOf(error);
      node.failed(failure);
      return { kind: 'failed', failure };
    } finally {
      node.inFlight--;
    }
  }
}

/** An acceptance is a JSON string, a rejection is JSON or text with 4xx; everything else is a failure. */
function judge({ status, type, body }: RpcResponse): Failure | undefined {
  if (type.startsWith('text/html') || body[0] === 0x3c) return { kind: 'nonsense', detail: 'HTML' };
  if (status === 200) {
    return /^\s*"(0x)?[0-9a-f]{64}"\s*$/i.test(body.toString('latin1', 0, 80))
      ? undefined
      : { kind: 'nonsense', detail: 'no transaction id' };
  }
  return status >= 400 && status < 500 ? undefined : { kind: 'status', detail: `status ${status}` };
}

function firstAccepted(sent: readonly Promise<Outcome>[]): Promise<Outcome> {
  return new Promise(resolve => {
    void Promise.all(
      sent.map(async promise => {
        const outcome = await promise;
        if (outcome.kind === 'accepted') resolve(outcome);
        return outcome;
      }),
    ).then(outcomes => {
      const judged = outcomes.find(outcome => outcome.kind === 'rejected');
      // A timeout takes precedence over a broken connection: the transaction may have arrived.
      const late = outcomes.find(outcome => outcome.kind === 'failed' && outcome.failure?.kind === 'timeout');
      resolve(judged ?? late ?? outcomes[0] ?? { kind: 'failed', failure: undefined });
    });
  });
}
