import { fromHex } from '@cairn-stacks/codec/hex';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { Action } from '@cairn-stacks/devnet/chain/action';
import type { BranchState } from '@cairn-stacks/devnet/chain/branch-state';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { burnMessage, mempoolMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { ChainBuilder } from '@cairn-stacks/devnet/chain/chain-builder';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import {
  preCommitMessage,
  proposalMessage,
  pushMessage,
  responsesMessage,
} from '@cairn-stacks/devnet/chain/stackerdb-messages';
import { coinOf } from '@cairn-stacks/devnet/contracts/token-contract';
import type { Random } from '@cairn-stacks/devnet/random';

/** How large a generated chain is and how its traffic is spread. */
export type ChainShape = {
  blocks: number;
  /** User transactions in each block. */
  transactions: number;
  principals: number;
  /** Share of the transactions that one account sends. */
  whale?: number;
  /** Every n-th tenure is first mined as a block that loses; none without it. */
  forkEvery?: number;
  /** Signers that respond to every block; none without it. */
  signers?: number;
  /** Messages of signers in one post. Default: 1. */
  perPost?: number;
  /** Blocks whose transactions are announced at the end and never mined. */
  waiting?: number;
  network?: { name: 'mainnet' | 'testnet'; chainId: number; mainnet: boolean };
};

const mainnet = { name: 'mainnet', chainId: 1, mainnet: true } as const;
const tokens = 20;
const tenureBlocks = 5;
const mempoolShare = 0.5;
const mempoolGroup = 10;

/** The messages of a node that follows a busy chain; the same shape gives the same messages, lowest block first. */
export function* sampleChain(shape: ChainShape): Generator<Message> {
  const network = shape.network ?? mainnet;
  const chain = new ChainBuilder({ seed: 1, sign: false, accounts: shape.principals, maturity: 10, network });
  const traffic = new Traffic(chain.random, shape, network.mainnet);
  let tip = chain.genesis;
  yield tip;
  for (let height = 1; height <= shape.blocks; height++) {
    const starts = (height - 1) % tenureBlocks === 0;
    const tenure = starts ? 'new' : 'same';
    const number = (height - 1) / tenureBlocks;
    const forks = shape.forkEvery !== undefined && starts && height > 2 && number % shape.forkEvery === 0;
    if (forks)
      yield* announce(chain.mine(tip, { tenure, transactions: traffic.transfers(tip.state, 5) }), chain.random);
    const parent = tip;
    tip = chain.mine(parent, { tenure, transactions: traffic.of(height, parent.state), onlyChild: true });
    // Older blocks are not needed, and every block holds the state of its whole branch.
    parent.parent = undefined;
    if (shape.signers) yield* signerTraffic(tip, shape.signers, shape.perPost ?? 1);
    yield* announce(tip, chain.random);
  }
  for (let i = 1; i <= (shape.waiting ?? 0); i++) {
    tip = chain.mine(tip, { tenure: 'same', transactions: traffic.of(shape.blocks + i, tip.state) });
    yield mempoolMessage(tip.transactions);
  }
}

const cycle = 100;
const signerVersion = 'stacks-signer 4.0.2 (0123456789, release build, linux [x86_64])';

/** What a node posts of one block's miner and signers: a proposal, a pre-commit and a response of each, and the push. */
function* signerTraffic(block: BuiltBlock, signers: number, perPost: number): Generator<Message> {
  const hash = fromHex(block.hash);
  yield proposalMessage(block, cycle, 'stacks-node 4.0.2');
  const slots = Array.from({ length: signers }, (_, slot) => slot);
  const posts: number[][] = [];
  for (let i = 0; i < signers; i += perPost) posts.push(slots.slice(i, i + perPost));
  for (const post of posts) yield preCommitMessage(cycle, post, hash);
  for (const post of posts) {
    const responses = post.map(slot => ({ slot, hash, signature: new Uint8Array(65).fill(slot) }));
    yield responsesMessage(
      cycle,
      responses.map(response => ({ ...response, accepted: true, version: signerVersion })),
    );
  }
  yield pushMessage(block);
}

/** Burn blocks, then some of the transactions as they waited, then the block. */
function* announce(block: BuiltBlock, random: Random): Generator<Message> {
  for (const burn of block.burnBlocks) yield burnMessage(burn);
  const waited = block.transactions.filter(t => t.fee > 0n && random.below(1000) < mempoolShare * 1000);
  for (let i = 0; i < waited.length; i += mempoolGroup) yield mempoolMessage(waited.slice(i, i + mempoolGroup));
  yield block;
}

/** The actions of accounts: a few accounts send most of them, and one far more if the shape has a whale. */
class Traffic {
  readonly #random: Random;
  readonly #shape: ChainShape;
  readonly #mainnet: boolean;
  readonly #items = new Map<string, number[]>();

  constructor(random: Random, shape: ChainShape, isMainnet: boolean) {
    this.#random = random;
    this.#shape = shape;
    this.#mainnet = isMainnet;
  }

  /** The transactions of a block: deploys first, then a mix. */
  of(height: number, state: BranchState): Action[] {
    const first = (height - 1) * 10;
    if (first < tokens) {
      return Array.from({ length: 10 }, (_, i) => ({ from: first + i, kind: 'deploy', name: 'token', fee: 50_000n }));
    }
    return Array.from({ length: this.#shape.transactions }, (_, i) => this.#action(state, height * 1000 + i));
  }

  transfers(state: BranchState, count: number): Action[] {
    return Array.from({ length: count }, () => this.#transfer(this.#sender(), state));
  }

  #action(state: BranchState, number: number): Action {
    const from = this.#sender();
    const contract = this.#contract();
    const common = { from, fee: this.#fee(), kind: 'call', contract } as const;
    const dice = this.#random.below(100);
    if (dice < 40) return this.#transfer(from, state);
    if (dice < 75) return { ...common, call: this.#moveCoins(from, contract, state) };
    if (dice < 86) return { ...common, call: { name: 'deposit', amount: BigInt(1 + this.#random.below(900_000)) } };
    if (dice < 93) return { ...common, call: this.#mintItem(contract) };
    if (dice < 98) return { ...common, call: { name: 'announce', number }, fails: 'response' };
    if (dice < 99) return { ...common, call: { name: 'announce', number }, fails: 'post_condition' };
    return { from, fee: 20_000n, kind: 'deploy', name: `c-${number}` };
  }

  #transfer(from: number, state: BranchState): Action {
    const spendable = state.spendable(this.#address(from)) / 1000n;
    const amount = BigInt(1 + this.#random.below(5_000_000));
    return { from, fee: this.#fee(), kind: 'transfer', to: this.#anyone(), amount: amount < spendable ? amount : 1n };
  }

  /** Transfers a part of the sender's tokens, or mints if that is too little for a busy block. */
  #moveCoins(from: number, contract: string, state: BranchState) {
    const held = state.held(this.#address(from), coinOf(contract));
    const to = this.#anyone();
    if (held < 1000n) return { name: 'mint', amount: 1_000_000n, to: this.#address(from) } as const;
    return { name: 'transfer', amount: 1n + held / 200n, to } as const;
  }

  #mintItem(contract: string) {
    const items = this.#items.get(contract) ?? [];
    this.#items.set(contract, items);
    items.push(items.length);
    return { name: 'mint-item', item: items.length, to: this.#anyone() } as const;
  }

  #sender(): number {
    if (this.#random.below(1000) < (this.#shape.whale ?? 0) * 1000) return 0;
    return Math.floor(this.#shape.principals * (this.#random.u32() / 2 ** 32) ** 3);
  }

  #anyone = () => this.#address(this.#random.below(this.#shape.principals));
  #contract = () => `${this.#address(Math.floor(tokens * (this.#random.u32() / 2 ** 32) ** 3))}.token`;
  #fee = () => BigInt(180 + this.#random.below(4000));
  #address = (index: number) => accountAt(index, this.#mainnet).address;
}
