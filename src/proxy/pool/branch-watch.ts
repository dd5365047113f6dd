import { sha512_256 } from '../../codec/hash.ts';
import type { Sql } from '../../db/client.ts';
import { findServedBlock } from '../served-block.ts';
import type { PoolNode } from './pool-node.ts';

/** Compares the tip of each node with the served chain after each health check. */
export class BranchWatch {
  readonly #sql: Sql;
  /** The served tip at the last comparison that found a node on another branch. */
  readonly #tips = new WeakMap<PoolNode, Buffer>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Sets since when the tip of a node is off the served chain; undefined if that cannot be determined. */
  async compare(node: PoolNode): Promise<void> {
    const { health } = node;
    const indexHash = health.state === 'up' && health.believed ? indexHashOf(health.info) : undefined;
    if (health.state !== 'up' || !indexHash) {
      node.offChainSince = undefined;
      return;
    }
    const served = await findServedBlock(this.#sql, health.height);
    const off = served && this.#isOff(node, health.height, indexHash, served);
    node.offChainSince = off ? (node.offChainSince ?? Date.now()) : undefined;
    if (off) this.#tips.set(node, served.tipIndexHash);
  }

  #isOff(
    node: PoolNode,
    height: number,
    indexHash: Buffer,
    { tipHeight, tipIndexHash, indexHash: own }: Awaited<ReturnType<typeof findServedBlock>> & object,
  ): boolean {
    if (height <= tipHeight) return own !== null && !own.equals(indexHash);
    // Blocks above the served tip cannot be compared; a known different branch stays different while the served tip stays.
    return node.offChainSince !== undefined && this.#tips.get(node)?.equals(tipIndexHash) === true;
  }
}

/** The id of the tip that a node reports: the hash of block hash and consensus hash. */
function indexHashOf({ stacks_tip, stacks_tip_consensus_hash }: Record<string, unknown>): Buffer | undefined {
  const text = `${stacks_tip}${stacks_tip_consensus_hash}`.replaceAll('0x', '');
  return /^[0-9a-f]{104}$/.test(text) ? Buffer.from(sha512_256(Buffer.from(text, 'hex'))) : undefined;
}
