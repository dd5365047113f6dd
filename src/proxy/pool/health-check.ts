import type { NodeRpc } from '../../node/rpc.ts';
import { failureOf } from '../failure.ts';
import type { Health } from './pool-node.ts';

export type CheckOptions = {
  chainId: number;
  timeoutMs: number;
  /** The greatest height that other sources confirm; undefined if there are none. */
  witness: number | undefined;
  /** The result of the last check. */
  before: Health;
};

/** Blocks that a node may be ahead of all others without proving it by the block. */
const AHEAD = 20;

/** Checks a node; never throws. */
export async function checkNode(rpc: NodeRpc, options: CheckOptions): Promise<Health> {
  const { chainId, timeoutMs } = options;
  try {
    const [info, peerLag] = await Promise.all([rpc.object('/v2/info', { timeoutMs }), askPeerLag(rpc, timeoutMs)]);
    const height = whole(info.stacks_tip_height);
    const burnHeight = whole(info.burn_block_height) ?? 0;
    if (height === undefined) return down('it reports no height');
    if (info.network_id !== chainId) return down('it is on another network');
    const proven = isAhead(height, options.witness) && (await isProven(rpc, height, options));
    const believed = proven || !isAhead(height, options.witness);
    return { state: 'up', at: Date.now(), height, burnHeight, believed, proven, peerLag, info };
  } catch (error) {
    const { kind, detail } = failureOf(error);
    return down(detail, kind === 'timeout');
  }
}

const down = (reason: string, late = false): Health => ({ state: 'down', reason, late, at: Date.now() });

const whole = (value: unknown) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** Nodes before epoch 3 lack this path, and a node without peers returns 500: both give undefined. */
async function askPeerLag(rpc: NodeRpc, timeoutMs: number): Promise<number | undefined> {
  try {
    return whole((await rpc.object('/v3/health', { timeoutMs })).difference_from_max_peer);
  } catch {
    return undefined;
  }
}

/** True for a height far above that of all other sources. */
export const isAhead = (height: number, witness: number | undefined) =>
  witness !== undefined && height > witness + AHEAD;

/** Such a height must be proven by the block at it. */
async function isProven(rpc: NodeRpc, height: number, { before, timeoutMs }: CheckOptions): Promise<boolean> {
  if (before.state === 'up' && before.proven && height <= before.height + AHEAD) return true;
  const path = `/v3/blocks/height/${height}`;
  try {
    const { status, type } = await rpc.call({ method: 'GET', path }, { timeoutMs, maxBytes: 4 << 20 });
    return status === 200 && type.includes('octet-stream');
  } catch {
    return false;
  }
}
