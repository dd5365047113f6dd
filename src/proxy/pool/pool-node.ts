import type { NodeSetting } from '../../config/setting.ts';
import { NodeRpc, type RpcOptions } from '../../node/rpc.ts';
import type { Failure, FailureKind } from '../failure.ts';
import { Breaker, type BreakerOptions } from './breaker.ts';

/** What a health check found. */
export type Health =
  | { state: 'unknown' }
  | { state: 'down'; reason: string; at: number; late: boolean }
  | {
      state: 'up';
      at: number;
      height: number;
      burnHeight: number;
      /** Another node, the index or a block that it served stand for the height it claims. */
      believed: boolean;
      /** It was the block. */
      proven: boolean;
      /** Blocks that the node says it is behind its own peers; undefined where it does not say. */
      peerLag: number | undefined;
      info: Record<string, unknown>;
    };

/** Failures that only the node or its network can be blamed for. */
const BLAME: ReadonlySet<FailureKind> = new Set(['connect', 'connection', 'timeout', 'slow']);
/** Share of the newest call in the mean of its time. */
const NEWEST = 0.1;

/** One node of the pool: its connections and what is known of it. */
export class PoolNode {
  readonly name: string;
  readonly weight: number;
  readonly rpc: NodeRpc;
  readonly breaker: Breaker;
  readonly connections: number;
  health: Health = { state: 'unknown' };
  /** Calls under way. */
  inFlight = 0;
  /** Mean time until an answer begins. */
  latencyMs = 0;
  readonly counts = { answered: 0, hedged: 0, failed: {} as Partial<Record<FailureKind, number>> };
  /** Since when its tip is known not to be on the served chain. */
  offChainSince: number | undefined;
  /** Asks for a health check out of turn. */
  onDoubt: () => void = () => {};

  constructor(setting: NodeSetting, place: number, options: RpcOptions & { breaker?: BreakerOptions }) {
    this.name = setting.name || `node-${place + 1}`;
    this.weight = setting.weight;
    this.connections = options.connections;
    this.rpc = new NodeRpc(setting, options);
    this.breaker = new Breaker(options.breaker);
  }

  /** -1 while no check has succeeded. */
  get height(): number {
    return this.health.state === 'up' ? this.health.height : -1;
  }

  /** The less the better: what a further call would wait, in the light of its weight. */
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
