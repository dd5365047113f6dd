import { decodeNakamotoBlock, nakamotoBlockId } from '@cairn-stacks/codec/block/nakamoto-block';
import { sha512_256 } from '@cairn-stacks/codec/hash';
import type { Sql } from '../../db/client.ts';
import { findServedBlock, type ServedBlock } from '../served-block.ts';
import type { PoolNode } from './pool-node.ts';

/** Time limit of the block that a node is asked for. */
const BLOCK_TIMEOUT_MS = 3000;
const MAX_BLOCK_BYTES = 4 << 20;

/** Compares the tip of each node with the served chain after each health check. */
export class BranchWatch {
  readonly #sql: Sql;
  /** The served tip at the last comparison that found a node on another branch. */
  readonly #tips = new WeakMap<PoolNode, Buffer>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Stores how the tip of a node relates to the served chain; undefined if the node does not respond or nothing is served. */
  async compare(node: PoolNode): Promise<void> {
    const { health } = node;
    const indexHash = health.state === 'up' && health.believed ? indexHashOf(health.info) : undefined;
    const served = indexHash && (await findServedBlock(this.#sql, node.height, indexHash));
    if (health.state !== 'up' || !indexHash || !served) {
      node.comparison = undefined;
      node.offChainSince = undefined;
      return;
    }
    const now = Date.now();
    const { height } = health;
    const missingSince = served.known ? undefined : (node.comparison?.missingSince ?? now);
    const off = await this.#isOff(node, { height, indexHash }, served);
    node.offChainSince = off ? (node.offChainSince ?? now) : undefined;
    if (off) this.#tips.set(node, served.tipIndexHash);
    node.comparison = { at: now, height, indexHash, missingSince, onBranch: off === undefined ? undefined : !off };
  }

  /** True if the node has left the served chain, or never was on it; undefined if that cannot be told. */
  async #isOff(
    node: PoolNode,
    { height, indexHash }: { height: number; indexHash: Buffer },
    { tipHeight, tipIndexHash, indexHash: own, extendsTip }: ServedBlock,
  ): Promise<boolean | undefined> {
    if (height <= tipHeight) return own === null ? undefined : !own.equals(indexHash);
    if (extendsTip !== null) return !extendsTip;
    // Its tip is not known here: only the node can tell whether it has the served tip.
    const its = await findBlockId(node, tipHeight);
    if (its) return !its.equals(tipIndexHash);
    // Nodes give no blocks of epochs 2.x; a known different branch stays different while the served tip stays.
    return (node.offChainSince !== undefined && this.#tips.get(node)?.equals(tipIndexHash) === true) || undefined;
  }
}

/** The id of the block that a node has at a height; undefined if the node does not give the block. */
async function findBlockId(node: PoolNode, height: number): Promise<Buffer | undefined> {
  const path = `/v3/blocks/height/${height}`;
  const limits = { timeoutMs: BLOCK_TIMEOUT_MS, maxBytes: MAX_BLOCK_BYTES };
  try {
    const { status, body } = await node.rpc.call({ method: 'GET', path }, limits);
    return status === 200 ? Buffer.from(nakamotoBlockId(decodeNakamotoBlock(body).header)) : undefined;
  } catch {
    // The health check tells whether the node responds; without its block the branch stays unknown.
    return undefined;
  }
}

/** The id of the tip that a node reports: the hash of block hash and consensus hash. */
function indexHashOf({ stacks_tip, stacks_tip_consensus_hash }: Record<string, unknown>): Buffer | undefined {
  const text = `${stacks_tip}${stacks_tip_consensus_hash}`.replaceAll('0x', '');
  return /^[0-9a-f]{104}$/.test(text) ? Buffer.from(sha512_256(Buffer.from(text, 'hex'))) : undefined;
}
