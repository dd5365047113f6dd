import { bareHex } from '../../codec/hex.ts';
import { parseNetwork } from '../../network.ts';
import { type BlockRecord, recordOf } from '../chain/block-record.ts';
import type { BranchState } from '../chain/branch-state.ts';
import type { BuiltBlock } from '../chain/built-block.ts';
import type { BurnBlock } from '../chain/burn-chain.ts';
import { ChainBuilder, type Runner } from '../chain/chain-builder.ts';
import type { Executed } from '../chain/executed.ts';
import type { Message } from '../chain/message-text.ts';
import type { Release } from '../chain/release.ts';
import { rewardSetOf } from '../chain/reward-cycle.ts';
import { burnMessage } from '../chain/side-messages.ts';
import { firstContracts } from '../contracts/model-list.ts';
import { type AdmissionRules, admit, isRejection, type Rejection } from './admission.ts';
import { NodeMempool } from './mempool.ts';
import { isMinable, runSubmission, type Submission, submissionOf } from './submission.ts';

export type NodeOptions = {
  seed: number;
  /** Unix seconds; a test drives it by hand. */
  now: () => number;
  /** Takes what the node posts, in order. */
  tell: (message: Message) => void;
  release?: Release['name'];
  /** False leaves signatures empty and unchecked, for tests that want speed. */
  sign?: boolean;
  /** Accounts that have STX at first. */
  accounts?: number;
  /** When the chain began; only a chain that is resumed says so. */
  startedAt?: number;
  /** Told of every block, held back or not. */
  onBlock?: (block: BuiltBlock) => void;
};

/** What one asks of the next block. */
export type NodeMine = {
  parent?: BuiltBlock;
  tenure?: 'new' | 'same';
  time?: number;
  /** Held back: nobody is told of it. */
  quiet?: boolean;
  /** Leaves those that wait alone. */
  empty?: boolean;
};

const devnet = { name: 'devnet', chainId: parseNetwork('devnet')!.chainId, mainnet: false };
const mostPerBlock = 200;
/** Blocks whose parents, bytes and state are still known. */
const memory = 300;

/** A simulated node: a chain, a mempool with the real rules, and what it tells its observer. */
export class DevnetNode {
  readonly chain: ChainBuilder;
  readonly mempool: NodeMempool;
  readonly options: NodeOptions;
  readonly startedAt: number;
  tip: BuiltBlock;
  /** The newest blocks of all branches by id. */
  readonly blocks = new Map<string, BuiltBlock>();
  /** What is left of blocks that an earlier process mined. */
  readonly archived = new Map<string, BlockRecord>();
  readonly #rules: AdmissionRules;

  constructor(options: NodeOptions) {
    this.options = options;
    this.startedAt = options.startedAt ?? options.now();
    this.chain = new ChainBuilder({
      seed: options.seed,
      network: devnet,
      release: options.release ?? '4.0',
      sign: options.sign ?? true,
      accounts: options.accounts ?? 12,
      allocation: 100_000_000_000_000n,
      maturity: 10,
      burnStart: { height: 110, time: this.startedAt },
      bootContracts: firstContracts(devnet.mainnet),
    });
    this.mempool = new NodeMempool(options.tell);
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

  /** What the RPC tells of a block. */
  record(id: string | undefined): BlockRecord | undefined {
    if (id === undefined) return undefined;
    const block = this.blocks.get(id);
    return block ? recordOf(block, this.chain.release) : this.archived.get(id);
  }

  /** The sortition with a consensus hash that elected the miner of a block. */
  sortition(consensusHash: string): object | undefined {
    for (const block of this.blocks.values()) {
      if (bareHex(block.tenure.consensusHash) === consensusHash) return recordOf(block, this.chain.release).sortition;
    }
    return [...this.archived.values()].find(record => record.consensusHash === consensusHash)?.sortition;
  }

  /** Tells of the beginning, as a fresh node does. */
  begin(): void {
    this.#tell(burnMessage(this.chain.genesis.burn), this.chain.genesis);
  }

  /** What a node tells when it was started again: block 0 without its content. */
  restart(): void {
    this.#tell(this.chain.emptyGenesis());
  }

  /** Takes a transaction in or says why not. */
  submit(bytes: Uint8Array): Submission | Rejection {
    const answer = admit(bytes, this.state, this.#rules);
    if (isRejection(answer)) return answer;
    if (this.mempool.has(answer.txId)) return answer;
    return this.mempool.add(answer, this.options.now(), this.tip.height) ?? answer;
  }

  /** The next block on the tip or on another block, with what can be mined of what waits. */
  mine(asked: NodeMine = {}): BuiltBlock {
    const { parent = this.tip, tenure, empty } = asked;
    const time = Math.max(asked.time ?? this.options.now(), parent.burn.time + 1);
    this.mempool.expire(this.options.now());
    const block = this.chain.mine(parent, {
      time,
      ...(tenure && { tenure }),
      transactions: empty ? runNothing : this.#runner(parent.height),
    });
    this.#addRewardSet(block);
    this.#keep(block);
    this.options.onBlock?.(block);
    if (!asked.quiet) this.tell(block);
    if (block.height > this.tip.height) this.#follow(block);
    return block;
  }

  /** A microblock on the tip with what waits (2.x); undefined when nothing does. */
  streamMicroblock() {
    const runner = this.#runner(Number.POSITIVE_INFINITY);
    const last = this.tip.stream.at(-1)?.state ?? this.tip.state;
    if (!this.mempool.list().some(waiting => isMinable(waiting, last))) return undefined;
    const built = this.chain.microblock(this.tip, runner);
    this.#tell(built);
    return built;
  }

  /** Posts what belongs to a block: the burn blocks it was mined for, then itself. */
  tell(block: BuiltBlock): void {
    this.#tell(...block.burnBlocks.map(burnMessage), block);
  }

  /** A branch that leaves out the newest blocks and overtakes them. */
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
   * A burn block that elects nobody. With `replaces`, Bitcoin first leaves that many of its newest blocks, and the node goes back
   * to the last block that was mined for none of them; blocks that are no longer in memory stay.
   */
  mineBurnBlock({ replaces = 0, time = this.options.now() }: { replaces?: number; time?: number } = {}): BurnBlock {
    const { burnChain } = this.chain;
    for (let left = replaces; left > 0 && this.#leave(burnChain.tip); left--) burnChain.goBack(1);
    const burn = burnChain.mine(Math.max(time, burnChain.tip.time + 1));
    this.#tell(burnMessage(burn));
    return burn;
  }

  /** A Bitcoin reorganisation: the newest burn blocks are replaced by one more than they were. */
  forkBitcoin(depth: number): BurnBlock[] {
    const branch = [this.mineBurnBlock({ replaces: depth })];
    while (branch.length <= depth) branch.push(this.mineBurnBlock());
    return branch;
  }

  /** Takes the tip back below a burn block; false where what stands below is not known any more. */
  #leave({ parent, height }: BurnBlock): boolean {
    let left = this.tip;
    while (left.burn.height >= height && left.parent && left.height > 1) left = left.parent;
    if (!parent || left.burn.height >= height) return false;
    for (let b = this.tip; b !== left; b = b.parent!) this.#takeBack(b);
    this.tip = left;
    return true;
  }

  #tell(...messages: Message[]): void {
    for (const message of messages) this.options.tell(message);
  }

  /** Runs those that wait, dearest first, as far as their nonces follow; what came since the parent waits one block. */
  #runner(parentHeight: number): Runner {
    return (state, where) => {
      state.unlock(where.burnHeight);
      const done: Executed[] = [];
      const left = this.mempool
        .list()
        .filter(({ height }) => height < parentHeight || parentHeight < 2)
        .sort((a, b) => a.since - b.since);
      for (let progress = true; progress && done.length < mostPerBlock; ) {
        progress = false;
        for (let i = 0; i < left.length && done.length < mostPerBlock; i++) {
          if (!isMinable(left[i]!, state)) continue;
          done.push(runSubmission(left[i]!, state, where));
          left.splice(i--, 1);
          progress = true;
        }
      }
      return done;
    };
  }

  /** Moves the tip; transactions of the branch that is left wait again. */
  #follow(block: BuiltBlock): void {
    const before = this.tip;
    this.tip = block;
    if (block.parent !== before) {
      const branch = new Set<BuiltBlock>();
      for (let b: BuiltBlock | undefined = block; b; b = b.parent) branch.add(b);
      for (let b: BuiltBlock | undefined = before; b && !branch.has(b); b = b.parent) this.#takeBack(b);
    }
    const mined = [];
    for (let b: BuiltBlock | undefined = block, i = 0; b && i < memory; b = b.parent, i++) {
      for (const { txId } of b.transactions) mined.push(txId);
      if (b.parent === before) break;
    }
    this.mempool.settle(mined, block.state);
  }

  #takeBack({ transactions, height }: BuiltBlock): void {
    for (const { raw, txId } of transactions) {
      if (raw === '0x00') continue;
      const submission = submissionOf(raw, txId);
      if (/coinbase|tenure/.test(submission.transaction.payload.type)) continue;
      this.mempool.restore({ ...submission, since: this.options.now(), height: height - 1 });
    }
  }

  #addRewardSet(block: BuiltBlock): void {
    const set = this.chain.release.nakamoto ? rewardSetOf(block, this.network) : undefined;
    if (set) Object.assign(block.body, set);
  }

  #keep(block: BuiltBlock): void {
    this.blocks.set(block.indexHash, block);
    for (const [id, old] of this.blocks) {
      if (this.blocks.size <= memory) break;
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
