import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { burnMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { ChainBuilder, type ChainOptions, type MineOptions } from '@cairn-stacks/devnet/chain/chain-builder';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';

/** A chain for tests: unsigned, which is fifty times faster, and with rewards that mature soon. */
export function testChain(options: Partial<ChainOptions> = {}): ChainBuilder {
  return new ChainBuilder({ seed: 1, sign: false, maturity: 2, ...options });
}

/** Blocks on top of one another, lowest first. */
export function mineLine(chain: ChainBuilder, parent: BuiltBlock, length: number, options?: MineOptions): BuiltBlock[] {
  const blocks: BuiltBlock[] = [];
  for (let i = 0; i < length; i++) blocks.push(chain.mine(blocks.at(-1) ?? parent, options));
  return blocks;
}

/** What a node posts for a block: the burn blocks it was mined for, then itself. */
export const messagesOf = (block: BuiltBlock): Message[] => [...block.burnBlocks.map(burnMessage), block];
