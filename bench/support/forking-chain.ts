import { setTimeout as sleep } from 'node:timers/promises';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { burnMessage, mempoolMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { ChainBuilder } from '@cairn-stacks/devnet/chain/chain-builder';
import { type Message, messageText } from '@cairn-stacks/devnet/chain/message-text';
import { Poster } from './poster.ts';

const network = { name: 'mainnet', chainId: 1, mainnet: true } as const;
export const accounts = 30;
/** One step in this number is a fork. */
const forkEvery = 8;
const deepestFork = 4;

/** What clients must have of a block, as its message says it. */
export type CanonicalBlock = { height: number; hash: string; transfers: string[] };

type RawEvent = { txid: string; event_index: number; committed: boolean; type: string };

/** Ids of the STX transfers of a block, in order. */
const transfersOf = ({ body }: BuiltBlock): string[] =>
  (body as unknown as { events: RawEvent[] }).events
    .filter(({ committed, type }) => committed && type === 'stx_transfer_event')
    .map(({ txid }) => txid);

/** A chain that forks now and then, posted as a node posts it. */
export class ForkingChain {
  blocks = 0;
  forks = 0;
  /** Hash and STX transfers of each canonical block above block 0. */
  readonly canonical: CanonicalBlock[] = [];
  readonly #chain: ChainBuilder;
  readonly #poster: Poster;
  /** The newest blocks of the canonical chain, the tip last. */
  #branch: BuiltBlock[];

  constructor(seed: number, observerPort: number) {
    this.#chain = new ChainBuilder({ seed, sign: false, accounts, maturity: 3, network });
    this.#poster = new Poster(observerPort);
    this.#branch = [this.#chain.genesis];
  }

  get height(): number {
    return this.#branch.at(-1)!.height;
  }

  async grow(blocks: number): Promise<void> {
    await this.#post(this.#chain.genesis);
    for (let i = 0; i < blocks; i++) await this.#extend(this.#branch.at(-1)!);
  }

  /** One more block, or a branch that takes the place of a few. */
  async step(): Promise<void> {
    const { random } = this.#chain;
    const forks = random.chance(forkEvery) && this.#branch.length >= deepestFork + 2;
    const depth = forks ? 1 + random.below(deepestFork) : 0;
    if (forks) this.forks++;
    let tip = this.#branch.at(-1 - depth)!;
    this.#branch.length -= depth;
    this.canonical.length -= depth;
    for (let i = 0; i <= depth; i++) tip = await this.#extend(tip);
  }

  close(): void {
    this.#poster.close();
  }

  async #extend(parent: BuiltBlock): Promise<BuiltBlock> {
    const block = this.#chain.mine(parent, { transactions: 1 + this.#chain.random.below(8) });
    for (const burn of block.burnBlocks) await this.#post(burnMessage(burn));
    if (block.transactions.length > 1 && this.#chain.random.chance(2))
      await this.#post(mempoolMessage(block.transactions.slice(-1)));
    await this.#post(block);
    this.blocks++;
    this.#branch.push(block);
    this.canonical.push({ height: block.height, hash: block.indexHash, transfers: transfersOf(block) });
    // Older blocks are not needed.
    if (this.#branch.length > 50) this.#branch.shift()!.parent = undefined;
    return block;
  }

  async #post({ path, body }: Message): Promise<void> {
    const bytes = Buffer.from(messageText(body));
    for (;;) {
      try {
        return await this.#poster.post(path, bytes);
      } catch {
        await sleep(200);
      }
    }
  }
}
