import { setTimeout as sleep } from 'node:timers/promises';
import { describeNetwork, type Network, networkOf } from '@cairn-stacks/codec/network';
import type { NodeSetting } from '../config/setting.ts';
import type { Log } from '../log.ts';

const TIMEOUT_MS = 3000;
/** Pause between attempts. */
const RETRY_MS = 1000;

/** Requests the chain id of every node until it has responded once; a node may be absent, starting or hung for any time. */
export class ChainIdInquiry {
  readonly #log: Log;
  readonly #stopping = new AbortController();
  readonly #chainIds = new Map<NodeSetting, number>();
  readonly #loops: Promise<void>[];
  #expected: Network | undefined;

  constructor(nodes: readonly NodeSetting[], log: Log) {
    this.#log = log;
    this.#loops = nodes.map(node => this.#run(node));
  }

  /** A chain id that a node has reported, preferably one that differs from `known`. */
  reported(known?: number): number | undefined {
    const ids = [...this.#chainIds.values()];
    return ids.find(id => id !== known) ?? ids[0];
  }

  /** Resolves when every node has responded, at the latest after `waitMs`. */
  async settled(waitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise(resolve => {
      timer = setTimeout(resolve, waitMs);
    });
    await Promise.race([Promise.all(this.#loops), deadline]);
    clearTimeout(timer);
  }

  /** From now on, a node that responds with another chain id is logged: it is not used, and its blocks are quarantined. */
  expect(network: Network): void {
    this.#expected = network;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
  }

  async #run(node: NodeSetting): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const chainId = await fetchChainId(node, AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), signal]));
      if (chainId !== undefined) {
        this.#chainIds.set(node, chainId);
        this.#check(node, chainId);
        return;
      }
      // Rejects at `stop`, which ends the loop.
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }

  #check({ name }: NodeSetting, chainId: number): void {
    if (!this.#expected || chainId === this.#expected.chainId) return;
    const [its, ours] = [networkOf(chainId), this.#expected].map(describeNetwork);
    this.#log.error({ node: name }, `${name} is on ${its}, this database holds ${ours}: it is not used`);
  }
}

async function fetchChainId({ url, headers }: NodeSetting, signal: AbortSignal): Promise<number | undefined> {
  try {
    const response = await fetch(`${url}/v2/info`, { headers, signal });
    const info = (await response.json()) as { network_id?: unknown } | null;
    return typeof info?.network_id === 'number' ? info.network_id : undefined;
  } catch {
    // Unreachable, not ready or not a node: the caller tries again, and the start logs what it waits for.
    return undefined;
  }
}
