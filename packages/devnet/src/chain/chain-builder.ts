import { blockId } from '@cairn-stacks/codec/block/block-header';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { itemNumber } from '../contracts/token-contract.ts';
import { electTenure, extendTenure, miners, startTenure } from '../node/miner.ts';
import { Random } from '../random.ts';
import { randomAction, randomBurnAction } from '../residents/traffic.ts';
import { accountAt } from './account.ts';
import type { Action, BurnAction } from './action.ts';
import { blockJson, zeroHash } from './block-json.ts';
import { BranchState } from './branch-state.ts';
import type { BuiltBlock, BuiltMicroblock, Tenure } from './built-block.ts';
import { type BurnBlock, BurnChain } from './burn-chain.ts';
import { executeBurnAction } from './burn-operation.ts';
import type { Executed } from './executed.ts';
import { type BlockContext, execute } from './execution.ts';
import { type BootContract, genesisTransactions } from './genesis.ts';
import { type HeaderParts, sealAnchored, sealMicroblock, sealNakamoto } from './header.ts';
import { payMatured } from './matured-rewards.ts';
import type { Message } from './message-text.ts';
import { receiptsJson } from './receipt-json.ts';
import { type Release, releases } from './release.ts';

export type ChainOptions = {
  seed: number;
  network?: Network;
  release?: Release['name'];
  /** True signs transactions and blocks. */
  sign?: boolean;
  /** Number of accounts that send traffic. Default: 5. */
  accounts?: number;
  /** Addresses of further accounts with STX at genesis. */
  funded?: readonly string[];
  /** Micro-STX of each account at genesis. */
  allocation?: bigint;
  /** Micro-STX of a coinbase. */
  coinbase?: bigint;
  /** Number of tenures after which a miner is paid. */
  maturity?: number;
  burnStart?: { height: number; time: number };
  /** Additional boot contracts. */
  bootContracts?: readonly BootContract[];
};

/** Runs transactions on a branch. */
export type Runner = (state: BranchState, where: BlockContext) => Executed[];

export type MineOptions = {
  /**
   * Whether the block starts a tenure, belongs to that of its parent, or extends that over new burn blocks without a winner; a
   * block of 2.x always starts one.
   */
  tenure?: 'new' | 'same' | 'extend';
  /** The newest burn block; one above the parent's view extends the tenure if the block does not start one. */
  view?: BurnBlock;
  /** Actions of accounts, a number of random actions, or a function that runs pending transactions. */
  transactions?: readonly Action[] | number | Runner;
  /** Unix seconds; default: simulated time. */
  time?: number;
  /** Actions through Bitcoin, or a number of random ones; only at the start of a tenure. */
  burnOperations?: readonly BurnAction[] | number;
  /** Accounts that sign the block (Nakamoto). Default: two of their own. */
  signers?: readonly number[];
  /** Number of the parent's microblocks that the block confirms; default: all. */
  confirms?: number;
  /** True if nothing else is mined on the parent: the block takes over its state, for which a long chain need not be copied. */
  onlyChild?: boolean;
};

const testnet: Network = { name: 'testnet', chainId: 0x8000_0000, mainnet: false };

/** Builds any tree of blocks as messages of a node, with the state of every branch; deterministic and without I/O. */
export class ChainBuilder {
  readonly network: Network;
  readonly release: Release;
  readonly burnChain: BurnChain;
  readonly genesis: BuiltBlock;
  readonly random: Random;
  readonly #options: ChainOptions;
  readonly #accounts: number;

  constructor(options: ChainOptions) {
    this.#options = options;
    this.#accounts = options.accounts ?? 5;
    this.network = options.network ?? testnet;
    this.release = releases[options.release ?? '4.0'];
    this.random = new Random(options.seed);
    const start = options.burnStart ?? { height: 100, time: 1_750_000_000 };
    this.burnChain = new BurnChain(this.random, this.release, start);
    this.genesis = this.#makeGenesis();
  }

  /** Block 0 as a node repeats it at every start. */
  emptyGenesis(): Message & { height: 0; indexHash: string; parent: undefined; empty: true } {
    const body = { ...this.genesis.body, transactions: [], events: [] };
    const { indexHash } = this.genesis;
    return { path: '/new_block', body, height: 0, indexHash, parent: undefined, empty: true };
  }

  /** Mines the next block on any block of the tree. */
  mine(parent: BuiltBlock = this.genesis, options: MineOptions = {}): BuiltBlock {
    const { nakamoto } = this.release;
    const starts =
      !nakamoto || parent.height === 0 || (options.tenure ? options.tenure === 'new' : this.random.chance(2));
    const burnBlocks = starts || options.tenure === 'extend' ? this.#mineBurnBlocks(parent, options.time) : [];
    const burn = (starts ? burnBlocks.at(-1) : undefined) ?? parent.burn;
    const newest = burnBlocks.at(-1) ?? options.view ?? parent.view;
    const view = newest.height > parent.view.height ? newest : parent.view;
    const changesTenure = nakamoto && (starts || view !== parent.view);
    const previous = { consensusHash: toHex(parent.tenure.consensusHash), blockId: parent.indexHash };
    const tenure = starts
      ? { ...electTenure(parent, burn, this.random), previous }
      : { ...parent.tenure, blocks: parent.tenure.blocks + 1 };
    const confirmed = parent.stream.slice(0, options.confirms);
    const before = confirmed.at(-1)?.state ?? parent.state;
    const state = options.onlyChild ? before : before.clone();

    const anchored: Executed[] = [];
    if (starts) {
      anchored.push(...this.#runBurnOperations(options.burnOperations ?? 0, state, burn, parent.height + 1));
      const { network, random } = this;
      anchored.push(...startTenure({ network, nakamoto, sign: this.#signs, parent, tenure, random }, state));
    } else if (changesTenure) {
      const { network, random } = this;
      anchored.push(extendTenure({ network, nakamoto, sign: this.#signs, parent, tenure, random }, view, state));
    }
    anchored.push(
      ...this.#run(options.transactions, state, this.#circumstances(parent.height + 1, burn.height, false)),
    );
    const transactions = [...anchored, ...confirmed.flatMap(m => m.transactions)];

    const parts: HeaderParts = {
      parent,
      burn,
      tenure,
      transactions,
      random: this.random,
      mainnet: this.network.mainnet,
      sign: this.#signs,
      time: options.time,
      signers: options.signers,
    };
    const header = nakamoto ? sealNakamoto(parts) : sealAnchored(parts, confirmed.at(-1));
    const { hash, indexHash } = header;
    if (starts) {
      state.tenures.push({ miner: tenure.miner, blockHash: hash, indexHash, feesAnchored: 0n, feesStreamed: 0n });
    }
    const taken = state.tenures.at(-1)!;
    for (const { fee, microblock } of transactions) taken[microblock ? 'feesStreamed' : 'feesAnchored'] += fee;
    const { coinbase = 1_000_000_000n, maturity = 100 } = this.#options;
    const { mainnet } = this.network;
    const rewards = starts ? payMatured(state, { coinbase, maturity, mainnet, nakamoto }) : [];
    const height = parent.height + 1;
    const facts = { header, height, parent, burn, tenure, transactions, rewards };
    const body = blockJson(facts, this.release, this.random);
    return {
      path: '/new_block',
      body,
      height,
      hash,
      indexHash,
      parent,
      burn,
      view,
      changesTenure,
      burnBlocks,
      tenure,
      header: header.nakamoto?.header,
      transactions,
      state,
      stream: [],
    };
  }

  /** Mines the next microblock on a block of 2.x; its message contains only this one. */
  microblock(parent: BuiltBlock, transactions: readonly Action[] | number | Runner = 1): BuiltMicroblock {
    const previous = parent.stream.at(-1);
    const state = (previous?.state ?? parent.state).clone();
    const executed = this.#run(transactions, state, this.#circumstances(parent.height + 1, parent.burn.height, true));
    const sequence = previous ? previous.sequence + 1 : 0;
    const parentHash = previous?.hash ?? parent.hash;
    const { random, network } = this;
    const hash = sealMicroblock(parent, previous, executed, { random, mainnet: network.mainnet, sign: this.#signs });
    for (const each of executed) each.microblock = { hash, sequence, parentHash };
    const body = {
      parent_index_block_hash: parent.indexHash,
      burn_block_hash: parent.burn.hash,
      burn_block_height: parent.burn.height,
      burn_block_timestamp: parent.burn.time,
      ...receiptsJson(executed, this.release, this.random),
    };
    const built = { path: '/new_microblocks', body, hash, sequence, parentHash, transactions: executed, state };
    parent.stream.push(built);
    return built;
  }

  get #signs(): boolean {
    return this.#options.sign ?? true;
  }

  #circumstances(height: number, burnHeight: number, streamed: boolean): BlockContext {
    return { network: this.network, release: this.release, sign: this.#signs, height, burnHeight, streamed };
  }

  #run(wanted: MineOptions['transactions'], state: BranchState, where: BlockContext): Executed[] {
    if (typeof wanted === 'function') return wanted(state, where);
    const count = wanted ?? this.random.below(4);
    if (typeof count !== 'number') return count.map(action => execute(action, state, where));
    return Array.from({ length: count }, () =>
      execute(randomAction(this.random, state, this.#trafficAccounts), state, where),
    );
  }

  #runBurnOperations(
    wanted: readonly BurnAction[] | number,
    state: BranchState,
    burn: BurnBlock,
    height: number,
  ): Executed[] {
    const where = this.#circumstances(height, burn.height, false);
    const run = (action: BurnAction, position: number) =>
      executeBurnAction(action, state, where, { burn, position, random: this.random });
    if (typeof wanted !== 'number') return wanted.map(run);
    return Array.from({ length: wanted }, (_, i) =>
      run(randomBurnAction(this.random, state, this.#trafficAccounts), i),
    );
  }

  get #trafficAccounts() {
    return { count: this.#accounts, mainnet: this.network.mainnet };
  }

  #mineBurnBlocks(parent: BuiltBlock, time?: number): BurnBlock[] {
    const mined = [this.burnChain.mine(time)];
    while (mined.at(-1)!.height <= parent.view.height) mined.push(this.burnChain.mine(time));
    return mined;
  }

  #makeGenesis(): BuiltBlock {
    const accounts = Array.from({ length: this.#accounts }, (_, i) => accountAt(i, this.network.mainnet).address);
    const { allocation = 1_000_000_000_000n, bootContracts, funded = [] } = this.#options;
    const recipients = [...new Set([...accounts, ...funded])];
    const transactions = genesisTransactions(this.network, recipients, allocation, bootContracts);
    const state = new BranchState();
    for (const { events } of transactions) state.apply(events, itemNumber);
    const consensusHash = new Uint8Array(20);
    const tenure: Tenure = { miner: miners[0]!, consensusHash, minerTxId: zeroHash, number: 0, blocks: 0 };
    const indexHash = toHex(blockId(new Uint8Array(32), consensusHash));
    const burn = this.burnChain.tip;
    const facts = { header: { hash: zeroHash, indexHash }, height: 0, parent: undefined, burn, tenure, transactions };
    const body = blockJson({ ...facts, rewards: [] }, this.release, this.random);
    const place = { path: '/new_block', body, height: 0, hash: zeroHash, indexHash, parent: undefined };
    return {
      ...place,
      burn,
      view: burn,
      changesTenure: false,
      burnBlocks: [burn],
      tenure,
      transactions,
      state,
      stream: [],
    };
  }
}
