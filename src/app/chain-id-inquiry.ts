import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeSetting } from '../config/setting.ts';

export type InquiryOptions = {
  timeoutMs?: number;
  /** Pause between attempts. */
  retryMs?: number;
  /** Called once for each node, with the chain id it reported. */
  onResponse?: (node: NodeSetting, chainId: number) => void;
};

/** Requests the chain id of every node until it has responded once; a node may be absent, starting or hung for any time. */
export class ChainIdInquiry {
  readonly #options: InquiryOptions;
  readonly #stopping = new AbortController();
  readonly #chainIds = new Map<NodeSetting, number>();
  readonly #loops: Promise<void>[];

  constructor(nodes: readonly NodeSetting[], options: InquiryOptions = {}) {
    this.#options = options;
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

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
  }

  async #run(node: NodeSetting): Promise<void> {
    const { timeoutMs = 3000, retryMs = 1000, onResponse } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const chainId = await fetchChainId(node, AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]));
      if (chainId !== undefined) {
        this.#chainIds.set(node, chainId);
        onResponse?.(node, chainId);
        return;
      }
      // Rejects at `stop`, which ends the loop.
      await sleep(retryMs, undefined, { signal }).catch(() => {});
    }
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
