import { toHex } from '@cairn-stacks/codec/hex';
import type { NodePool } from '../../proxy/pool/node-pool.ts';
import type { Comparison, PoolNode } from '../../proxy/pool/pool-node.ts';
import { describeMissing, type NodesCompared } from '../../read/status/conditions-schema.ts';
import type { ReadinessCheck } from '../../read/status/health.ts';

/** Milliseconds after which a different branch, or a missing tip, is not explained by the propagation time of blocks. */
const OFF_CHAIN_MS = 3000;

export type NodeComparisonOptions = {
  pool: NodePool;
  /** Blocks that the served chain may be behind the nodes. */
  maxBehind: number;
  offChainMs?: number;
  /** True once a node's tip could not be fetched. */
  fetchFailed?: () => boolean;
};

/** The served chain compared with healthy nodes; nodes that do not respond are ignored. */
export class NodeComparison {
  readonly #pool: NodePool;
  readonly #maxBehind: number;
  readonly #offChainMs: number;
  readonly #fetchFailed: () => boolean;
  /** True once a node was on the served branch; until then there is no doubt that it takes time to tell. */
  #agreed = false;

  constructor({ pool, maxBehind, offChainMs = OFF_CHAIN_MS, fetchFailed = () => false }: NodeComparisonOptions) {
    this.#pool = pool;
    this.#maxBehind = maxBehind;
    this.#offChainMs = offChainMs;
    this.#fetchFailed = fetchFailed;
  }

  /** The tip of a node was compared. */
  note({ comparison }: PoolNode): void {
    if (comparison && comparison.onBranch !== false) this.#agreed = true;
  }

  /** Reasons not to be ready. */
  get checks(): ReadinessCheck[] {
    return [
      ({ height }) => this.#judgeHeight(height),
      // At a start, nothing may be served that the nodes have left.
      () => this.#judgeBranch(this.#agreed ? this.#offChainMs : 0),
    ];
  }

  /** Tips of healthy nodes that were not received. */
  missingTips(): { id: string; height: number; missingSince: number }[] {
    const tips = this.#compared().flatMap(({ indexHash, height, missingSince }) =>
      missingSince === undefined ? [] : [{ id: indexHash.toString('hex'), height, missingSince }],
    );
    return tips.filter(({ id }, i) => tips.findIndex(tip => tip.id === id) === i);
  }

  report(height: number): NodesCompared {
    const compared = this.#compared();
    const branches = compared.map(({ onBranch }) => onBranch);
    const { best } = this.#pool;
    return {
      compared_at: compared.length === 0 ? null : new Date(Math.max(...compared.map(({ at }) => at))).toISOString(),
      best_height: best < 0 ? null : best,
      blocks_behind: best < 0 ? 0 : Math.max(0, best - Math.max(0, height)),
      on_their_branch: branches.includes(true) ? true : branches.includes(false) ? false : null,
      missing: this.#missing(compared),
    };
  }

  /** Seconds since when a node has a tip that was not received; 0 if there is none. */
  get missingSeconds(): number {
    const since = Math.min(...this.#compared().map(({ missingSince }) => missingSince ?? Number.POSITIVE_INFINITY));
    return Number.isFinite(since) ? Math.max(0, Date.now() - since) / 1000 : 0;
  }

  #judgeHeight(height: number): string | undefined {
    const behind = this.#pool.best - height;
    if (behind <= this.#maxBehind) return undefined;
    const missing = this.#missing(this.#compared());
    return (
      `the served chain ends at block ${height}, ${behind} blocks behind the nodes, more than the ${this.#maxBehind} allowed` +
      (missing ? `; ${describeMissing(missing)}` : '')
    );
  }

  #judgeBranch(offChainMs: number): string | undefined {
    const up = this.#healthy();
    const off = up.filter(
      ({ offChainSince }) => offChainSince !== undefined && Date.now() - offChainSince >= offChainMs,
    );
    if (up.length === 0 || off.length < up.length) return undefined;
    const tips = off.map(({ name, height }) => `${name} at block ${height}`).join(', ');
    return `the served chain is on another branch than all healthy nodes (${tips})`;
  }

  #missing(compared: readonly Comparison[]): NodesCompared['missing'] {
    const [highest] = compared
      .filter(({ missingSince }) => missingSince !== undefined && Date.now() - missingSince >= this.#offChainMs)
      .sort((a, b) => b.height - a.height);
    if (!highest) return null;
    return {
      block_height: highest.height,
      index_block_hash: toHex(highest.indexHash),
      since: new Date(highest.missingSince!).toISOString(),
      reason: this.#fetchState(),
    };
  }

  #fetchState(): string {
    if (!this.#pool.nodes.some(({ hasSecret }) => hasSecret)) {
      return 'it cannot be fetched, because no node of CAIRN_NODES has the option auth=TOKEN';
    }
    return this.#fetchFailed() ? 'it could not be fetched; the log has the reason' : 'it is being fetched';
  }

  #healthy(): PoolNode[] {
    return this.#pool.nodes.filter(({ health }) => health.state === 'up' && health.believed);
  }

  #compared(): Comparison[] {
    return this.#healthy().flatMap(({ comparison }) => comparison ?? []);
  }
}
