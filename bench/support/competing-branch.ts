import { createHash } from 'node:crypto';

type BlockJson = Record<string, unknown> & {
  block_hash: string;
  index_block_hash: string;
  block_height: number;
};

/**
 * The messages of another branch beside the given blocks: the same blocks under other hashes, and an empty one on top that
 * makes it the longer one.
 */
export function competingBranch(blocks: readonly Buffer[]): Buffer[] {
  const renamed = new Map<string, string>();
  const texts = blocks.map(bytes => {
    const text = bytes.toString();
    const { block_hash, index_block_hash } = JSON.parse(text) as BlockJson;
    for (const hash of [block_hash, index_block_hash]) renamed.set(hash, anotherHash(hash));
    return [...renamed].reduce((result, [from, to]) => result.replaceAll(from, to), text);
  });
  const tip = JSON.parse(texts.at(-1)!) as BlockJson;
  const top = {
    ...tip,
    block_height: tip.block_height + 1,
    // Not the hash that the block below gets where a branch beside this one is made.
    block_hash: anotherHash(`${tip.block_hash} top`),
    index_block_hash: anotherHash(`${tip.index_block_hash} top`),
    parent_block_hash: tip.block_hash,
    parent_index_block_hash: tip.index_block_hash,
    matured_miner_rewards: [],
    transactions: [],
    events: [],
  };
  return [...texts, JSON.stringify(top)].map(text => Buffer.from(text));
}

const anotherHash = (hash: string) => `0x${createHash('sha256').update(hash).digest('hex')}`;
