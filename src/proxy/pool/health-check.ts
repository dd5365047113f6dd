import type { NodeRpc } from '../../node/rpc.ts';
import { failureOf } from '../failure.ts';
import type { Health } from './pool-node.ts';

export type CheckOptions = {
  chainId: number;
  timeoutMs: number;
  /** The greatest height that others stand for; undefined when nobody else does. */
  witness: number | undefined;
  /** What the last check found. */
  before: Health;
};

/** How far ahead of all others a node may be without showing the block. */
const AHEAD = 20;

/** Asks a node how it is; never throws. */
export async function checkNode(rpc: NodeRpc, options: CheckOptions): Promise<Health> {
  const { chainId, timeoutMs } = options;
  try {
    const [info, peerLag] = await Promise.all([rpc.object('/v2/info', { timeoutMs }), askPeerLag(rpc, timeoutMs)]);
    const height = whole(info.stacks_tip_height);
    const burnHeight = whole(info.burn_block_height) ?? 0;
    if (height === undefined) return down('it tells no height');
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

/** Nodes before epoch 3 have no such path, and one that has no peers says 500: both are no answer. */
async function askPeerLag(rpc: NodeRpc, timeoutMs: number): Promise<number | undefined> {
  try {
    return whole((await rpc.object('/v3/health', { timeoutMs })).difference_from_max_peer);
  } catch {
    return undefined;
  }
}

/** Whether a height is one that nobody else has come near. */
export const isAhead = (height: number, witness: number | undefined) =>
  witness !== undefined && height > witness + AHEAD;

/** Such a height must be proven by the block that stands there. */
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
