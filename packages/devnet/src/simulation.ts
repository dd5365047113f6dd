import type { BuiltBlock } from './chain/built-block.ts';
import { burnMessage } from './chain/burn-and-mempool-messages.ts';
import { isOnBranch } from './chain/burn-chain.ts';
import type { Release } from './chain/release.ts';
import { BlockArchive } from './chain/stored/block-archive.ts';
import { type BlockRecord, recordOf } from './chain/stored/block-record.ts';
import { cycleOf, isPreparing } from './contracts/pox/cycle.ts';
import { type Checkpoint, goBackTo, noteBlock, takeCheckpoint } from './node/checkpoint.ts';
import { DevnetNode } from './node/devnet-node.ts';
import { type EncodedMessage, encodeMessage, Outbox } from './node/outbox.ts';
import { RpcFault } from './node/rpc-fault.ts';
import {
  type MissedBlock,
  readSnapshot,
  restoreSnapshot,
  type Snapshot,
  takeSnapshot,
  writeSnapshot,
} from './node/snapshot.ts';
import { Residents } from './residents/residents.ts';
import { playRound } from './residents/round.ts';
import { clarinetAccounts, printedAccounts, type UserAccount } from './residents/user-accounts.ts';
import { rpcRoutes } from './rpc/routes.ts';
import { type RpcServer, serveRoutes } from './rpc/server.ts';

export type SimulationOptions = {
  /** URL of the observer, such as http://127.0.0.1:3700; undefined posts nothing. */
  observer: string | undefined;
  host: string;
  port: number;
  /** Seconds between blocks; 0 mines as fast as it can. */
  blockSeconds: number;
  /** True mines only on command. */
  paused?: boolean;
  seed: number;
  /** File of the snapshot; undefined stores nothing. */
  file?: string | undefined;
  /** The index already holds blocks, so a new chain with another genesis would never become canonical. */
  mustResume?: boolean;
  /** Posts block 0 before the RPC opens, and blocks the RPC while the observer is down, as a real node does. */
  blocking?: boolean;
  release?: Release['name'];
  sign?: boolean;
  /** Blocks mined immediately on a new chain, so that there is data to look at. Default: 24. */
  firstBlocks?: number;
  /** Accounts of the user with STX at genesis. */
  accounts?: readonly UserAccount[];
  /** Unix seconds. */
  now?: () => number;
  onFailure?: (reason: string) => void;
};

/** Every so many blocks there is a burn block: it elects a miner, or the tenure is extended. */
const blocksPerBurnBlock = 4;
/** Of so many such burn blocks the last one has no winner. */
const burnBlocksPerExtension = 3;

/** Options of the next block. */
type StepOptions = {
  /** Unix seconds. */
  time?: number;
  /** The block starts a tenure; undefined: every fourth starts or extends one. */
  tenure?: 'new';
  /** Transactions that need not wait for a second block. */
  due?: ReadonlySet<string>;
};

/** What a block of this height does with the tenure. */
function tenureAt(height: number): 'new' | 'same' | 'extend' {
  if (height % blocksPerBurnBlock !== 1) return 'same';
  const burnBlock = Math.floor(height / blocksPerBurnBlock);
  return burnBlock % burnBlocksPerExtension === burnBlocksPerExtension - 1 ? 'extend' : 'new';
}

/** A running devnet: node, residents, block timer, RPC server and stored state. */
export class Simulation {
  readonly options: SimulationOptions;
  readonly node: DevnetNode;
  readonly residents: Residents;
  readonly outbox: Outbox;
  /** Blocks that are posted later, each with the number of blocks until then. */
  readonly late: { block: BuiltBlock; blocks: number }[] = [];
  /** Blocks that were never posted. */
  readonly missed: MissedBlock[] = [];
  /** How the next block is posted: `miss` never, `late` some blocks later, undefined at once. */
  nextBlock: { kind: 'miss' } | { kind: 'late'; blocks: number } | undefined;
  /** Named states of the chain to which a command goes back. */
  readonly checkpoints = new Map<string, Checkpoint>();
  readonly rpcFault = new RpcFault();
  #blockSeconds: number;
  #paused: boolean;
  /** The next block must start a tenure. */
  #startsTenure = false;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<unknown> = Promise.resolve();
  #stopped = false;
  #rpc: RpcServer | undefined;
  readonly #resumed: boolean;
  readonly #archive: BlockArchive | undefined;
  /** Blocks that are not in the archive yet. */
  #unarchived: BuiltBlock[] = [];
  #last: EncodedMessage | undefined;
  /** Messages of the current step; they are posted after the step is stored. */
  #unposted: EncodedMessage[] | undefined;

  constructor(options: SimulationOptions, startedAt: number, resumed: boolean) {
    this.options = options;
    this.#blockSeconds = options.blockSeconds;
    this.#paused = options.paused ?? false;
    this.#resumed = resumed;
    this.#archive = options.file === undefined ? undefined : new BlockArchive(`${options.file}.blocks`);
    this.outbox = new Outbox({
      observer: options.observer,
      ...(options.onFailure && { onFailure: options.onFailure }),
    });
    this.node = new DevnetNode({
      seed: options.seed,
      now: options.now ?? (() => Math.floor(Date.now() / 1000)),
      post: message => this.post(encodeMessage(message)),
      startedAt,
      onBlock: block => {
        this.#unarchived.push(block);
        noteBlock(this.checkpoints.values(), block, this.node);
      },
      funded: [...clarinetAccounts, ...(options.accounts ?? [])].map(({ address }) => address),
      ...(options.release && { release: options.release }),
      ...(options.sign !== undefined && { sign: options.sign }),
    });
    this.residents = new Residents(this.node, options.seed);
  }

  get url(): string {
    return this.#rpc?.url ?? '';
  }

  get lastMessage(): EncodedMessage | undefined {
    return this.#last;
  }

  /** Posts a message to the observer, after the current step is stored. */
  post(message: EncodedMessage): void {
    this.#last = message;
    if (this.#unposted) this.#unposted.push(message);
    else this.outbox.send(message);
  }

  /** Reads the stored state and opens the RPC; with `blocking`, the RPC opens after the observer accepted block 0. */
  async open(): Promise<void> {
    const records = this.#resumed ? await this.#archive?.read() : await this.#archive?.clear();
    for (const record of records ?? []) this.node.archived.set(record.id, record);
    if (!this.options.blocking) await this.#openRpc();
  }

  async #openRpc(): Promise<void> {
    const { host, port, blocking } = this.options;
    const ready = async () => {
      if (blocking) await this.outbox.drained();
      await this.rpcFault.apply();
    };
    this.#rpc = await serveRoutes(rpcRoutes(this), { host, port, ready });
  }

  /** Starts or resumes the chain, then mines a block every `blockSeconds`. */
  run(): void {
    const first = this.#resumed ? 0 : (this.options.firstBlocks ?? 24);
    void this.exclusively(async () => {
      const { blockSeconds } = this.options;
      await this.storing(() => (this.#resumed ? this.node.restart() : this.node.begin()));
      if (!this.#rpc && !this.#stopped) await this.#openRpc();
      for (let i = first; i > 0 && !this.#stopped; i--) {
        await this.step({ time: this.node.options.now() - i * Math.max(1, blockSeconds) });
      }
      this.#schedule();
    });
  }

  /** Runs steps (blocks, forks, control commands) one after another. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#working.then(work);
    this.#working = done.catch((error: Error) => this.options.onFailure?.(error.message));
    return done;
  }

  /** Lets the residents act and mines a block; stores both, then posts them. */
  async step({ time, tenure, due }: StepOptions = {}): Promise<BuiltBlock> {
    const { nextBlock } = this;
    this.nextBlock = undefined;
    const kind = tenure === 'new' || this.#startsTenure ? 'new' : tenureAt(this.node.tip.height + 1);
    this.#startsTenure = false;
    return await this.storing(() => {
      playRound(this.residents);
      if (!this.node.chain.release.nakamoto) this.node.streamMicroblock();
      const block = this.node.mine({
        tenure: kind,
        ...(time !== undefined && { time }),
        ...(due && { due }),
        quiet: nextBlock !== undefined,
      });
      this.#postLate();
      if (nextBlock?.kind === 'miss') this.missed.push({ id: block.indexHash, messages: messagesOf(block) });
      if (nextBlock?.kind === 'late') this.late.push({ block, blocks: nextBlock.blocks });
      return block;
    });
  }

  /** Mines blocks on command; the first one contains all pending transactions that are valid. */
  async mine(count: number): Promise<void> {
    for (let i = 0; i < count && !this.#stopped; i++) {
      const due = new Set(i === 0 ? this.node.mempool.list().map(({ txId }) => txId) : []);
      await this.step({ due });
    }
  }

  /**
   * Mines until Bitcoin has reached a height. A Stacks block is mined at that height and where a reward cycle or a prepare
   * phase begins; the burn blocks in between have no winner.
   */
  async mineToBurnHeight(height: number): Promise<void> {
    const { burnChain } = this.node.chain;
    const isTurn = (at: number) => isPreparing(at) !== isPreparing(at - 1) || cycleOf(at) !== cycleOf(at - 1);
    while (burnChain.tip.height < height && !this.#stopped) {
      await this.storing(() => {
        for (let next = burnChain.tip.height + 1; next < height && !isTurn(next); next++) this.node.mineBurnBlock();
      });
      await this.step({ tenure: 'new' });
    }
  }

  /** Stops the timer of blocks; commands still mine. */
  pause(): void {
    this.#paused = true;
    clearTimeout(this.#timer);
  }

  /** Mines a block every so many seconds again. */
  resume(blockSeconds = this.#blockSeconds): void {
    this.#paused = false;
    this.#blockSeconds = blockSeconds;
    this.#schedule();
  }

  /** Seconds between blocks; undefined if it mines only on command. */
  get blockSeconds(): number | undefined {
    return this.#paused ? undefined : this.#blockSeconds;
  }

  /** Remembers the present state under a name; the process keeps it in memory. */
  setCheckpoint(name: string): void {
    this.checkpoints.set(name, takeCheckpoint(this.residents));
    this.#startsTenure = true;
  }

  /** Takes the chain and the index back to a checkpoint; false if there is none of that name. */
  async goBack(name: string): Promise<boolean> {
    const checkpoint = this.checkpoints.get(name);
    if (!checkpoint) return false;
    this.late.length = 0;
    this.missed.length = 0;
    this.nextBlock = undefined;
    await this.storing(() => goBackTo(checkpoint, this.residents));
    for (const [other, { tip }] of this.checkpoints) {
      if (tip.height > checkpoint.tip.height) this.checkpoints.delete(other);
    }
    this.#startsTenure = true;
    return true;
  }

  /** The state and the newest blocks, from which another process can continue once the observer has everything so far. */
  state(): { snapshot: Snapshot; blocks: BlockRecord[] } {
    const { node } = this;
    const record = (block: BuiltBlock) => recordOf(block, node.chain.release, node.network.mainnet);
    const blocks = [...node.archived.values(), ...[...node.blocks.values()].map(record)];
    return { snapshot: takeSnapshot(node, this.residents, this.outbox.pending, this.missed), blocks };
  }

  /** Runs `work` on the chain, stores the result, and only then posts its messages. */
  async storing<T>(work: () => T): Promise<T> {
    this.#unposted = [];
    const result = work();
    const messages = this.#unposted;
    this.#unposted = undefined;
    await this.#store(messages);
    for (const message of messages) this.outbox.send(message);
    await this.outbox.drained();
    return result;
  }

  #postLate(): void {
    for (const waiting of this.late) waiting.blocks--;
    const due = this.late.filter(each => each.blocks <= 0);
    this.late.splice(0, this.late.length, ...this.late.filter(each => each.blocks > 0));
    for (const { block } of due) {
      this.node.announce(block);
      // The last burn block that was announced is dead: only the next one shows where Bitcoin stands.
      const { tip } = this.node.chain.burnChain;
      if (block.burnBlocks.some(burn => !isOnBranch(burn, tip))) this.#startsTenure = true;
    }
  }

  async #store(unposted: readonly EncodedMessage[] = []): Promise<void> {
    const { file } = this.options;
    const blocks = this.#unarchived;
    this.#unarchived = [];
    if (!file) return;
    await this.#archive?.add(blocks.map(block => recordOf(block, this.node.chain.release, this.node.network.mainnet)));
    // Late blocks would be lost with the process: they are sent after a restart.
    const late = this.late.flatMap(({ block }) => messagesOf(block));
    const messages = [...this.outbox.pending, ...unposted, ...late];
    await writeSnapshot(file, takeSnapshot(this.node, this.residents, messages, this.missed));
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#stopped || this.#paused) return;
    this.#timer = setTimeout(() => {
      void this.exclusively(async () => void (this.#paused || (await this.step())))
        .catch(() => {})
        .then(() => this.#schedule());
    }, this.#blockSeconds * 1000);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.outbox.stop();
    await this.#working;
    await this.#store();
    await this.#rpc?.stop();
  }

  /** The accounts whose keys a start prints. */
  get userKeys(): readonly UserAccount[] {
    return printedAccounts;
  }

  /** All accounts for the user of the devnet: printed ones, those of Clarinet, and those of the settings. */
  get userAccounts(): readonly UserAccount[] {
    return [...printedAccounts, ...clarinetAccounts, ...(this.options.accounts ?? [])];
  }
}

const messagesOf = (block: BuiltBlock): EncodedMessage[] =>
  [...block.burnBlocks.map(burnMessage), block].map(encodeMessage);

/** Opens a new devnet or resumes the one stored in the file; it mines once `run` is called. */
export async function openSimulation(options: SimulationOptions): Promise<Simulation> {
  const snapshot = options.file ? await readSnapshot(options.file) : undefined;
  if (!snapshot && options.mustResume) {
    throw new Error(
      `the devnet cannot resume: ${options.file} is missing; remove the data folder to start a new chain`,
    );
  }
  const now = options.now?.() ?? Math.floor(Date.now() / 1000);
  const first = (options.firstBlocks ?? 24) * Math.max(1, options.blockSeconds) + 60;
  const seed = snapshot?.seed ?? options.seed;
  const simulation = new Simulation({ ...options, seed }, snapshot?.startedAt ?? now - first, snapshot !== undefined);
  if (snapshot) {
    restoreSnapshot(snapshot, simulation.node, simulation.residents);
    simulation.missed.push(...(snapshot.missed ?? []));
    for (const message of snapshot.messages) simulation.outbox.send(message);
  }
  await simulation.open();
  return simulation;
}
