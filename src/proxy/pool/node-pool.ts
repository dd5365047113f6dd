import type { NodeSetting } from '../../config/setting.ts';
import type { BreakerOptions } from './breaker.ts';
import { bestTip, chooseNode, type Rank, rankOf, type Wish } from './choice.ts';
import { checkNode, isAhead } from './health-check.ts';
import { PoolNode } from './pool-node.ts';
import { Stickiness } from './stickiness.ts';

export type PoolOptions = {
  nodes: readonly NodeSetting[];
  chainId: number;
  timeoutMs: number;
  hedgeDelayMs: number;
  maxLag: number;
  connections: number;
  answerLimit: number;
  /** The height of the index, a witness of what nodes claim; below 0 when it has no block. */
  indexHeight?: () => number;
  /** Told when a node comes, goes or returns. */
  onChange?: (node: PoolNode, state: string) => void;
  /** Told after each check of a node. */
  onCheck?: (node: PoolNode) => void;
  checkMs?: number;
  checkTimeoutMs?: number;
  breaker?: BreakerOptions;
};

const LONGEST_CHECK_MS = 10_000;
/** Further requests that may be under way beside their originals, whatever the load. */
const FEW_HEDGES = 16;

/** The nodes behind the service: checks them, and says which to ask. */
export class NodePool {
  readonly nodes: readonly PoolNode[];
  readonly options: PoolOptions;
  readonly sticky = new Stickiness<PoolNode>();
  /** Requests of clients under way, and how many of them are asked of two nodes. */
  open = 0;
  hedges = 0;
  #best = -1;
  #lastInfo: Record<string, unknown> | undefined;
  readonly #timers = new Map<PoolNode, NodeJS.Timeout>();
  readonly #checking = new Map<PoolNode, Promise<void>>();
  readonly #fails = new Map<PoolNode, number>();
  #stopped = false;

  constructor(options: PoolOptions) {
    this.options = options;
    this.nodes = options.nodes.map((setting, place) => new PoolNode(setting, place, options));
  }

  /** Begins to check; resolves when every node was checked. */
  async start(): Promise<void> {
    await Promise.all(
      this.nodes.map(node => {
        node.onDoubt = () => void this.check(node);
        return this.check(node);
      }),
    );
    // In the first round nobody could speak for another.
    const ahead = this.nodes.filter(node => isAhead(node.height, this.#witnessFor(node)));
    await Promise.all(ahead.map(node => this.check(node)));
  }

  /** Lets requests under way end, for a moment. */
  async stop(graceMs = 2000): Promise<void> {
    this.#stopped = true;
    for (const end = performance.now() + graceMs; this.open > 0 && performance.now() < end; ) {
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.nodes.map(node => node.rpc.close()));
    await Promise.all(this.#checking.values());
  }

  /** The best height that is believed, -1 while there is none. */
  get best(): number {
    return this.#best;
  }

  /** The last info of a node that was believed, for when none can be asked any more. */
  get lastInfo(): Record<string, unknown> | undefined {
    return this.#lastInfo;
  }

  choose(wish?: Wish): PoolNode | undefined {
    return chooseNode(this.nodes, { best: this.#best, maxLag: this.options.maxLag }, wish);
  }

  rankOf(node: PoolNode): Rank {
    return rankOf(node, { best: this.#best, maxLag: this.options.maxLag });
  }

  /** Nodes exist, answer, and have no connection to spare. */
  get busy(): boolean {
    return this.nodes.some(node => this.rankOf(node) < 3 && node.inFlight >= node.connections);
  }

  /** Whether one more request may be asked twice: when all nodes are slow, asking twice makes it worse. */
  get mayHedge(): boolean {
    return this.hedges < this.open / 2 + FEW_HEDGES;
  }

  /** Checks a node now and again later; calls that arrive meanwhile share it. */
  check(node: PoolNode): Promise<void> {
    const running = this.#checking.get(node);
    if (running || this.#stopped) return running ?? Promise.resolve();
    const work = this.#check(node).finally(() => this.#checking.delete(node));
    this.#checking.set(node, work);
    return work;
  }

  async #check(node: PoolNode): Promise<void> {
    clearTimeout(this.#timers.get(node));
    const { chainId, checkMs = 2000, checkTimeoutMs = 3000 } = this.options;
    const startedAt = performance.now();
    const before = node.health;
    const witness = this.#witnessFor(node);
    const health = await checkNode(node.rpc, { chainId, timeoutMs: checkTimeoutMs, witness, before });
    if (this.#stopped) return;
    const fails = health.state === 'up' ? 0 : (this.#fails.get(node) ?? 0) + 1;
    this.#fails.set(node, fails);
    // A check that was late once may be our own delay: the second one tells.
    const excused = fails === 1 && before.state === 'up' && health.state === 'down' && health.late;
    if (!excused) node.health = health;
    if (health.state === 'up') {
      node.observe(performance.now() - startedAt);
      node.breaker.checked(startedAt);
      if (health.believed) this.#lastInfo = health.info;
    }
    this.#best = bestTip(this.nodes);
    if (node.health.state !== before.state) {
      this.options.onChange?.(node, health.state === 'down' ? `down: ${health.reason}` : health.state);
    }
    this.options.onCheck?.(node);
    const wait = excused ? 1 : Math.min(checkMs * 2 ** Math.max(0, fails - 1), Math.max(checkMs, LONGEST_CHECK_MS));
    // An ejected node is looked at again as soon as it may return.
    const until = node.breaker.open ? Math.max(1, Math.min(wait, node.breaker.retryAt - performance.now() + 1)) : wait;
    const timer = setTimeout(() => void this.check(node), until);
    timer.unref();
    this.#timers.set(node, timer);
  }

  /** The greatest height that anybody but this node stands for. */
  #witnessFor(node: PoolNode): number | undefined {
    const others = bestTip(this.nodes.filter(other => other !== node));
    const height = Math.max(others, this.options.indexHeight?.() ?? -1);
    return height < 0 ? undefined : height;
  }
}
