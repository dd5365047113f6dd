import { bareHex } from '@cairn-stacks/codec/hex';
import { parseNetwork } from '@cairn-stacks/codec/network';
import type { BranchState } from '../chain/branch-state.ts';
import type { BuiltBlock } from '../chain/built-block.ts';
import { burnMessage } from '../chain/burn-and-mempool-messages.ts';
import { type BurnBlock, isOnBranch } from '../chain/burn-chain.ts';
import { ChainBuilder, type Runner } from '../chain/chain-builder.ts';
import type { Executed } from '../chain/executed.ts';
import type { Message } from '../chain/message-text.ts';
import type { Release } from '../chain/release.ts';
import { rewardSetOf, signersOf } from '../chain/reward-cycle.ts';
import { type BlockRecord, recordOf } from '../chain/stored/block-record.ts';
import { type StoredBlock, storedBlock, storedRecord } from '../chain/stored/stored-block.ts';
import { initialContracts } from '../contracts/model-list.ts';
import { cycleOf } from '../contracts/pox/cycle.ts';
import { type AdmissionRules, admit, isRejection, type Rejection } from './admission.ts';
import { NodeMempool } from './mempool.ts';
import { DevnetSigners, type SignerSet, type SignerTraffic } from './signers.ts';
import { type SimulatedTransaction, simulateTransaction } from './simulated-transaction.ts';
import { isMinable, runSubmission, type Submission, submissionOf } from './submission.ts';

export type NodeOptions = {
  seed: number;
  /** Current time in Unix seconds; tests set it. */
  now: () => number;
  /** Receives the messages that the node posts, in order. */
  post: (message: Message) => void;
  release?: Release['name'];
  /** False leaves signatures empty and unchecked, which makes tests faster. */
  sign?: boolean;
  /** Number of accounts with STX at genesis. Default: 12. */
  accounts?: number;
  /** Addresses of further accounts with STX at genesis. */
  funded?: readonly string[];
  /** Start time of a resumed chain, in Unix seconds. Default: now. */
  startedAt?: number;
  /** Called for every block, posted or not. */
  onBlock?: (block: BuiltBlock) => void;
};

/** Options of the next block. */
export type MineOptions = {
  parent?: BuiltBlock;
  /** A tenure that goes on is extended if Bitcoin has moved on without a winner; `extend` mines such a burn block. */
  tenure?: 'new' | 'same' | 'extend';
  time?: number;
  /** True does not post the block. */
  quiet?: boolean;
  /** True leaves pending transactions in the mempool. */
  empty?: boolean;
  /** Transactions that need not wait for a second block. */
  due?: ReadonlySet<string>;
};

const devnet = parseNetwork('devnet')!;
const maxTransactionsPerBlock = 200;
/** Cycles whose signer sets stay in memory. */
const keptSets = 3;
/** Number of newest blocks whose parents, bytes and state stay in memory. */
const retainedBlocks = 300;

/** A simulated node: a chain, a mempool with the rules of a real node, and the messages to its observer. */
export class DevnetNode {
  readonly chain: ChainBuilder;
  readonly mempool: NodeMempool;
  readonly options: NodeOptions;
  readonly startedAt: number;
  tip: BuiltBlock;
  /** The newest blocks of all branches by id. */
  readonly blocks = new Map<string, BuiltBlock>();
  /** Records of blocks that an earlier process mined. */
  readonly archived = new Map<string, BlockRecord>();
  /** Number of transactions that the node will accept and lose. */
  broadcastsToLose = 0;
  /** The end of the Bitcoin branch that the last fork has left. */
  #left: BurnBlock | undefined;
  readonly #rules: AdmissionRules;
  readonly #signers: DevnetSigners;
  /** Keys of the signers of cycles, in the order of their slots. */
  readonly #signerSets = new Map<number, SignerSet>();
  /** Messages of signers about blocks that are in memory. */
  readonly #traffic = new WeakMap<BuiltBlock, SignerTraffic>();

  constructor(options: NodeOptions) {
    this.options = options;
    this.startedAt = options.startedAt ?? options.now();
    this.chain = new ChainBuilder({
      seed: options.seed,
      network: devnet,
      release: options.release ?? '4.0',
      sign: options.sign ?? true,
      accounts: options.accounts ?? 12,
      funded: options.funded ?? [],
      allocation: 100_000_000_000_000n,
      maturity: 10,
      burnStart: { height: 110, time: this.startedAt },
      bootContracts: initialContracts(devnet.mainnet),
    });
    this.#signers = new DevnetSigners(options.accounts ?? 12, devnet.mainnet);
    this.mempool = new NodeMempool(options.post);
    this.tip = this.chain.genesis;
    const { nakamoto } = this.chain.release;
    this.#rules = { network: this.chain.network, verify: options.sign ?? true, microblocks: !nakamoto };
  }

  get network() {
    return this.chain.network;
  }

  get state(): BranchState {
    return this.tip.state;
  }

  /** The content of a block that the RPC serves. */
  record(id: string | undefined): BlockRecord | undefined {
    if (id === undefined) return undefined;
    const block = this.blocks.get(id);
    return block ? recordOf(block, this.chain.release, this.network.mainnet) : this.archived.get(id);
  }

  /** The canonical chain, newest first, as far as it is stored; without block 0. */
  *canonical(): Generator<StoredBlock> {
    let id: string | undefined = this.tip.indexHash;
    while (id !== undefined) {
      const found: StoredBlock | undefined = this.#stored(id);
      if (!found) return;
      yield found;
      id = found.parentId;
    }
  }

  /** The sortition with the given consensus hash that elected the miner of a block, on any branch. */
  sortition(consensusHash: string): object | undefined {
    for (const block of this.blocks.values()) {
      if (bareHex(block.tenure.consensusHash) === consensusHash) return this.#stored(block.indexHash)?.sortition();
    }
    return [...this.archived.values()].find(record => record.consensusHash === consensusHash)?.sortition;
  }

  #stored(id: string): StoredBlock | undefined {
    const block = this.blocks.get(id);
    return block ? storedBlock(block, this.network.mainnet) : storedRecord(this.archived.get(id));
  }

  /** Posts the genesis block, as a new node does. */
  begin(): void {
    this.#post(burnMessage(this.chain.genesis.burn), this.chain.genesis);
  }

  /** Posts block 0 without its content, as a node does after a restart. */
  restart(): void {
    this.#post(this.chain.emptyGenesis());
  }

  /** Adds a transaction to the mempool, or returns why it was rejected. */
  submit(bytes: Uint8Array, { signedHere = false } = {}): Submission | Rejection {
    const rules = signedHere ? { ...this.#rules, verify: false } : this.#rules;
    const submission = admit(bytes, this.state, rules);
    if (isRejection(submission)) return submission;
    if (this.mempool.has(submission.txId)) return submission;
    if (this.broadcastsToLose > 0) {
      this.broadcastsToLose--;
      return submission;
    }
    return this.mempool.add(submission, this.options.now(), this.tip.height) ?? submission;
  }

  /** Executes a transaction in a block on top of the tip, or of another block in memory, that is then discarded. */
  simulate(bytes: Uint8Array, parent = this.tip): SimulatedTransaction | Rejection {
    const { network, release } = this.chain;
    const where = { network, release, sign: this.options.sign ?? true, streamed: false };
    return simulateTransaction(bytes, parent, where, this.#rules);
  }

  /** Mines the next block, on the tip or on `parent`, with the pending transactions that are valid there. */
  mine(options: MineOptions = {}): BuiltBlock {
    const { parent = this.tip, tenure, empty } = options;
    const burnTip = this.chain.burnChain.tip;
    const time = Math.max(options.time ?? this.options.now(), parent.view.time + 1);
    this.mempool.expire(this.options.now());
    const cycle = cycleOf(parent.burn.height);
    const votes = this.#signers.votes(this.#signerSet(cycle, parent.state), parent);
    const signers = votes.filter(({ vote }) => vote === 'accept').map(({ account }) => account);
    const block = this.chain.mine(parent, {
      time,
      ...(signers.length > 0 && { signers }),
      ...(tenure && { tenure }),
      ...(isOnBranch(parent.view, burnTip) && { view: burnTip }),
      transactions: empty ? runNothing : this.#runner(parent.height, options.due),
    });
    this.#addRewardSet(block);
    if (block.header && votes.length > 0) this.#traffic.set(block, this.#signers.traffic(block, cycle, votes));
    this.#retain(block);
    this.options.onBlock?.(block);
    if (!options.quiet) this.announce(block);
    if (block.height > this.tip.height) this.#follow(block);
    return block;
  }

  /** Mines a microblock on the tip with pending transactions (2.x); undefined when none can be mined. */
  streamMicroblock() {
    const runner = this.#runner(Number.POSITIVE_INFINITY);
    const last = this.tip.stream.at(-1)?.state ?? this.tip.state;
    if (!this.mempool.list().some(pending => isMinable(pending, last))) return undefined;
    const built = this.chain.microblock(this.tip, runner);
    this.#post(built);
    return built;
  }

  /** Posts the burn blocks for which a block was mined, then the block, with the messages of its signers around it. */
  announce(block: BuiltBlock): void {
    const { before, after } = this.#traffic.get(block) ?? { before: [], after: [] };
    this.#post(...block.burnBlocks.map(burnMessage), ...before, block, ...after);
  }

  /** Mines a branch that replaces the newest `depth` blocks and becomes one block longer. */
  fork(depth: number): BuiltBlock[] {
    let parent = this.tip;
    for (let i = 0; i < depth && parent.parent && parent.height > 1; i++) parent = parent.parent;
    const wanted = this.tip.height - parent.height + 1;
    const branch: BuiltBlock[] = [];
    for (let i = 0; i < wanted; i++) {
      branch.push(this.mine({ parent: branch.at(-1) ?? parent, tenure: i === 0 ? 'new' : 'same', empty: i === 0 }));
    }
    return branch;
  }

  /**
   * Mines a burn block without a winner. With `replaces`, Bitcoin first drops that many of its newest blocks, as far as a Stacks
   * block below them is in memory.
   */
  mineBurnBlock({ replaces = 0, time = this.options.now() }: { replaces?: number; time?: number } = {}): BurnBlock {
    const { burnChain } = this.chain;
    for (let left = replaces; left > 0 && this.#hasBlockBelow(burnChain.tip); left--) burnChain.goBack(1);
    const burn = burnChain.mine(Math.max(time, burnChain.tip.time + 1));
    this.#post(burnMessage(burn));
    this.#chooseTip();
    return burn;
  }

  /** A Bitcoin reorganisation: replaces the newest `depth` burn blocks by `depth + 1` blocks. */
  forkBitcoin(depth: number): BurnBlock[] {
    this.#left = this.chain.burnChain.tip;
    const branch = [this.mineBurnBlock({ replaces: depth })];
    while (branch.length <= depth) branch.push(this.mineBurnBlock());
    return branch;
  }

  /** Bitcoin goes back to the branch that its last fork has left, which is now the longer one; none if it never forked. */
  returnBitcoin(): BurnBlock[] {
    const { burnChain } = this.chain;
    const left = this.#left;
    if (!left || isOnBranch(left, burnChain.tip)) return [];
    const { height } = burnChain.tip;
    this.#left = burnChain.tip;
    burnChain.tip = left;
    const branch = [this.mineBurnBlock()];
    while (burnChain.tip.height <= height) branch.push(this.mineBurnBlock());
    return branch;
  }

  /** True if some block would be left without a burn block. */
  #hasBlockBelow({ parent, height }: BurnBlock): boolean {
    return (
      parent !== undefined && this.#known().some(block => block.view.height < height && isOnBranch(block.view, parent))
    );
  }

  /** The blocks that can become the tip, in the order in which they were mined. */
  #known(): BuiltBlock[] {
    const known = new Set(this.blocks.values());
    for (let block: BuiltBlock | undefined = this.tip; block; block = block.parent) known.add(block);
    return [...known].filter(({ height }) => height > 0);
  }

  /** A node invalidates blocks whose burn view has left the Bitcoin chain; the highest of the others is its tip. */
  #chooseTip(): void {
    const burnTip = this.chain.burnChain.tip;
    let best = isOnBranch(this.tip.view, burnTip) ? this.tip : undefined;
    for (const block of this.#known()) {
      if (block.height > (best?.height ?? 0) && isOnBranch(block.view, burnTip)) best = block;
    }
    if (best && best !== this.tip) this.#follow(best);
  }

  #post(...messages: Message[]): void {
    for (const message of messages) this.options.post(message);
  }

  /** Runs pending transactions, oldest first, as their nonces allow; those that arrived after the parent wait one block. */
  #runner(parentHeight: number, due?: ReadonlySet<string>): Runner {
    return (state, where) => {
      state.unlock(where.burnHeight);
      const done: Executed[] = [];
      const pending = this.mempool
        .list()
        .filter(({ height, txId }) => height < parentHeight || parentHeight < 2 || due?.has(txId))
        .sort((a, b) => a.since - b.since);
      for (let progress = true; progress && done.length < maxTransactionsPerBlock; ) {
        progress = false;
        for (let i = 0; i < pending.length && done.length < maxTransactionsPerBlock; i++) {
          if (!isMinable(pending[i]!, state)) continue;
          done.push(runSubmission(pending[i]!, state, where));
          pending.splice(i--, 1);
          progress = true;
        }
      }
      return done;
    };
  }

  /** Moves the tip; transactions of the abandoned branch return to the mempool. */
  #follow(block: BuiltBlock): void {
    const before = this.tip;
    this.tip = block;
    if (block.parent !== before) {
      const branch = new Set<BuiltBlock>();
      for (let b: BuiltBlock | undefined = block; b; b = b.parent) branch.add(b);
      for (let b: BuiltBlock | undefined = before; b && !branch.has(b); b = b.parent) this.#returnToMempool(b);
    }
    const mined = [];
    for (let b: BuiltBlock | undefined = block, i = 0; b && i < retainedBlocks; b = b.parent, i++) {
      for (const { txId } of b.transactions) mined.push(txId);
      if (b.parent === before) break;
    }
    this.mempool.removeMined(mined, block.state);
  }

  #returnToMempool({ transactions, height }: BuiltBlock): void {
    for (const { raw, txId } of transactions) {
      if (raw === '0x00') continue;
      const submission = submissionOf(raw, txId);
      if (/coinbase|tenure/.test(submission.transaction.payload.type)) continue;
      this.mempool.restore({ ...submission, since: this.options.now(), height: height - 1 });
    }
  }

  /** After a restart the set is read from the state. */
  #signerSet(cycle: number, state: BranchState): SignerSet {
    if (!this.chain.release.nakamoto) return [];
    let set = this.#signerSets.get(cycle);
    if (!set) {
      set = signersOf(state, cycle, this.network);
      this.#signerSets.set(cycle, set);
    }
    return set;
  }

  #addRewardSet(block: BuiltBlock): void {
    const set = this.chain.release.nakamoto ? rewardSetOf(block, this.network) : undefined;
    if (!set) return;
    Object.assign(block.body, set);
    this.#signerSets.set(set.cycle_number, set.reward_set.signers);
    this.#signerSets.delete(set.cycle_number - keptSets);
  }

  #retain(block: BuiltBlock): void {
    this.blocks.set(block.indexHash, block);
    for (const [id, old] of this.blocks) {
      if (this.blocks.size <= retainedBlocks) break;
      this.blocks.delete(id);
      old.parent = undefined;
      old.burn.parent = undefined;
    }
  }
}

const runNothing: Runner = (state, where) => {
  state.unlock(where.burnHeight);
  return [];
};
