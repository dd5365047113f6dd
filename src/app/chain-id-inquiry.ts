import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeSetting } from '../config/setting.ts';

export type InquiryOptions = {
  timeoutMs?: number;
  /** Pause between two tries. */
  retryMs?: number;
  /** Called once for each node, with the chain id it reported. */
  onAnswer?: (node: NodeSetting, chainId: number) => void;
};

/** Asks every node for its chain id until it has answered once: a node may be absent, starting or hung for any time. */
export class ChainIdInquiry {
  readonly #options: InquiryOptions;
  readonly #stopping = new AbortController();
  readonly #answers = new Map<NodeSetting, number>();
  readonly #loops: Promise<void>[];

  constructor(nodes: readonly NodeSetting[], options: InquiryOptions = {}) {
    this.#options = options;
    this.#loops = nodes.map(node => this.#run(node));
  }

  /** A chain id that a node has reported; one that differs from `known` where there is such a one. */
  reported(known?: number): number | undefined {
    const ids = [...this.#answers.values()];
    return ids.find(id => id !== known) ?? ids[0];
  }

  /** Resolves when every node has answered, at the latest after `waitMs`. */
  async settled(waitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise(resolve => {
      timer = setTimeout(resolve, waitMs);
    });
    await Promise.race([Promise.all(this.#loops), deadline]);
    clearTimeout(timer);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
  }

  async #run(node: NodeSetting): Promise<void> {
    const { timeoutMs = 3000, retryMs = 1000, onAnswer } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const chainId = await askChainId(node, AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]));
      if (chainId !== undefined) {
        this.#answers.set(node, chainId);
        onAnswer?.(node, chainId);
        return;
      }
      // It rejects when this is stopped, and the loop ends.
      await sleep(retryMs, undefined, { signal }).catch(() => {});
    }
  }
}

async function askChainId({ url, headers }: NodeSetting, signal: AbortSignal): Promise<number | undefined> {
  try {
    const response = await fetch(`${url}/v2/info`, { headers, signal });
    const info = (await response.json()) as { network_id?: unknown } | null;
    return typeof info?.network_id === 'number' ? info.network_id : undefined;
  } catch {
    // Not there, not ready or no node at all: it is asked again, and whoever waits for it says so.
    return undefined;
  }
}
