import type { NodeSetting } from '../../config/setting.ts';
import { NodeRpc, type RpcOptions } from '../../node/rpc.ts';
import type { Failure, FailureKind } from '../failure.ts';
import { Breaker, type BreakerOptions } from './breaker.ts';

/** The result of a health check. */
export type Health =
  | { state: 'unknown' }
  | { state: 'down'; reason: string; at: number; late: boolean }
  | {
      state: 'up';
      at: number;
      height: number;
      burnHeight: number;
      /** True if another node, the index or a served block confirms its height. */
      believed: boolean;
      /** True if it was the block. */
      proven: boolean;
      /** Blocks that the node is behind its own peers; undefined if it does not report it. */
      peerLag: number | undefined;
      info: Record<string, unknown>;
    };

/** How the tip of a node relates to the served chain. Times are milliseconds of the clock. */
export type Comparison = {
  at: number;
  height: number;
  indexHash: Buffer;
  /** Since when the node has had tips that Cairn has not received; undefined if it has the tip. */
  missingSince: number | undefined;
  /** Whether the node has the served tip, or the served chain has the node's tip; undefined if that cannot be told. */
  onBranch: boolean | undefined;
};

/** Failures for which only the node or its network can be responsible. */
const BLAME: ReadonlySet<FailureKind> = new Set(['connect', 'connection', 'timeout', 'slow']);
/** Weight of the newest call in the mean latency. */
const NEWEST = 0.1;

/** One node of the pool: its connections and its state. */
export class PoolNode {
  readonly name: string;
  readonly weight: number;
  /** True if its `auth_token` is known: it replays blocks and simulates transactions. */
  readonly hasSecret: boolean;
  readonly rpc: NodeRpc;
  readonly breaker: Breaker;
  readonly connections: number;
  health: Health = { state: 'unknown' };
  /** Calls in progress. */
  inFlight = 0;
  /** Mean time until a response starts, in milliseconds. */
  latencyMs = 0;
  readonly counts = { answered: 0, hedged: 0, failed: {} as Partial<Record<FailureKind, number>> };
  /** Undefined until its tip was compared with the served chain. */
  comparison: Comparison | undefined;
  /** Since when its tip is not on the served chain. */
  offChainSince: number | undefined;
  /** Requests an immediate health check. */
  onDoubt: () => void = () => {};

  constructor(setting: NodeSetting, place: number, options: RpcOptions & { breaker?: BreakerOptions }) {
    this.name = setting.name || `node-${place + 1}`;
    this.weight = setting.weight;
    this.hasSecret = setting.auth !== undefined;
    this.connections = options.connections;
    this.rpc = new NodeRpc(setting, options);
    this.breaker = new Breaker(options.breaker);
  }

  /** -1 until a check has succeeded. */
  get height(): number {
    return this.health.state === 'up' ? this.health.height : -1;
  }

  /** Expected waiting time of a further call, divided by the weight; lower is better. */
  get cost(): number {
    return ((this.latencyMs + 1) * (this.inFlight + 1)) / this.weight;
  }

  answered(ms: number): void {
    this.counts.answered++;
    this.observe(ms);
    this.breaker.succeed();
  }

  observe(ms: number): void {
    this.latencyMs += (ms - this.latencyMs) * (this.latencyMs === 0 ? 1 : NEWEST);
  }

  failed({ kind }: Failure): void {
    this.counts.failed[kind] = (this.counts.failed[kind] ?? 0) + 1;
    if (BLAME.has(kind)) {
      if (this.breaker.strike()) this.onDoubt();
    } else {
      this.breaker.count();
      if (this.breaker.doubtful) this.onDoubt();
    }
  }
}
