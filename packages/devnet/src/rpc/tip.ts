import type { BuiltBlock } from '../chain/built-block.ts';
import type { DevnetNode } from '../node/devnet-node.ts';

/** The block at which a request is evaluated: its `tip`, or the newest; undefined if it is unknown. */
export function blockAtTip(node: DevnetNode, query: URLSearchParams): BuiltBlock | undefined {
  const tip = query.get('tip') ?? '';
  if (tip === '' || tip === 'latest') return node.tip;
  const id = `0x${tip.replace(/^0x/, '')}`;
  return id === node.chain.genesis.indexHash ? node.chain.genesis : node.blocks.get(id);
}
