import { bareHex } from '../codec/hex.ts';
import { BlockArchive } from './chain/block-archive.ts';
import { recordOf } from './chain/block-record.ts';
import type { BuiltBlock } from './chain/built-block.ts';
import type { Release } from './chain/release.ts';
import { burnMessage } from './chain/side-messages.ts';
import { DevnetNode } from './node/devnet-node.ts';
import { type Letter, letterOf, Outbox } from './node/outbox.ts';
import { type MissedBlock, readSnapshot, restoreSnapshot, takeSnapshot, writeSnapshot } from './node/snapshot.ts';
import { Population, userAccounts } from './residents/population.ts';
import { type RpcServer, startRpcServer } from './rpc/server.ts';

export type SimulationOptions = {
  /** Where events go, as http://127.0.0.1:3700; none when undefined. */
  observer: string | undefined;
  host: string;
  port: number;
  /** Seconds between blocks; 0 mines as fast as it can. */
  blockSeconds: number;
  seed: number;
  /** Where it remembers itself; nowhere when undefined. */
  file?: string | undefined;
  /** The index already holds blocks, so that a chain of another beginning would never be seen. */
  mustResume?: boolean;
  /** Posts block 0 before its RPC opens, and lets its RPC hang while the observer is down, as a real node does. */
  blocking?: boolean;
  release?: Release['name'];
  sign?: boolean;
  /** Blocks that are mined at once on a fresh chain, so that there is something to see. */
  firstBlocks?: number;
  /** Unix seconds. */
  now?: () => number;
  onTrouble?: (reason: string) => void;
};

/** How many tenures a new burn block starts: one in so many blocks. */
const blocksPerTenure = 4;

/** The devnet that lives by itself: node, residents, clock, RPC and what it remembers. */
export class Simulation {
  readonly options: SimulationOptions;
  readonly node: DevnetNode;
  readonly people: Population;
  readonly outbox: Outbox;
  /** Blocks that are held back, each with the number of blocks it still waits. */
  readonly late: { block: BuiltBlock; blocks: number }[] = [];
  /** What would have told of blocks that nobody was told of. */
  readonly missed: MissedBlock[] = [];
  /** What the next block shall be: `miss` tells nobody of it, `late` tells some blocks later. */
  nextBlock: { kind: 'miss' } | { kind: 'late'; blocks: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<unknown> = Promise.resolve();
  #stopped = false;
  #rpc: RpcServer | undefined;
  readonly #resumed: boolean;
  readonly #archive: BlockArchive | undefined;
  /** Blocks that are not in the archive yet. */
  #fresh: BuiltBlock[] = [];
  #last: Letter | undefined;
  /** Letters of the step under way: nobody hears of a block that is not remembered yet. */
  #untold: Letter[] | undefined;

  constructor(options: SimulationOptions, startedAt: number, resumed: boolean) {
    this.options = options;
    this.#resumed = resumed;
    this.#archive = options.file === undefined ? undefined : new BlockArchive(`${options.file}.blocks`);
    this.outbox = new Outbox({
      observer: options.observer,
      ...(options.onTrouble && { onTrouble: options.onTrouble }),
    });
    this.node = new DevnetNode({
      seed: options.seed,
      now: options.now ?? (() => Math.floor(Date.now() / 1000)),
      tell: message => this.tell(letterOf(message)),
      startedAt,
      onBlock: block => void this.#fresh.push(block),
      ...(options.release && { release: options.release }),
      ...(options.sign !== undefined && { sign: options.sign }),
    });
    this.people = new Population(this.node, options.seed);
  }

  get url(): string {
    return this.#rpc?.url ?? '';
  }

  get lastLetter(): Letter | undefined {
    return this.#last;
  }

  /** Tells the observer, once the step under way is remembered. */
  tell(letter: Letter): void {
    this.#last = letter;
    if (this.#untold) this.#untold.push(letter);
    else this.outbox.send(letter);
  }

  /** Reads what it remembers and opens the RPC; a blocking node opens it when the observer has taken block 0. */
  async open(): Promise<void> {
    const records = this.#resumed ? await this.#archive?.read() : await this.#archive?.clear();
    for (const record of records ?? []) this.node.archived.set(record.id, record);
    if (!this.options.blocking) await this.#openRpc();
  }

  async #openRpc(): Promise<void> {
    const { host, port, blocking } = this.options;
    const ready = blocking ? () => this.outbox.drained() : async () => {};
    this.#rpc = await startRpcServer(this, { host, port, ready });
  }

  /** Begins or goes on, then mines by the clock. */
  run(): void {
    const first = this.#resumed ? 0 : (this.options.firstBlocks ?? 24);
    void this.exclusively(async () => {
      const { blockSeconds } = this.options;
      await this.remembering(() => (this.#resumed ? this.node.restart() : this.node.begin()));
      if (!this.#rpc && !this.#stopped) await this.#openRpc();
      for (let i = first; i > 0 && !this.#stopped; i--) {
        await this.step(this.node.options.now() - i * Math.max(1, blockSeconds));
      }
      this.#schedule();
    });
  }

  /** One step after another: blocks, forks and what the control asks for. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#working.then(work);
    this.#working = done.catch((error: Error) => this.options.onTrouble?.(error.message));
    return done;
  }

  /** The residents act, a block is mined, and all of it is remembered and told. */
  async step(time?: number): Promise<BuiltBlock> {
    const { nextBlock } = this;
    this.nextBlock = undefined;
    const starts = (this.node.tip.height + 1) % blocksPerTenure === 1;
    return await this.remembering(() => {
      this.people.live();
      if (!this.node.chain.release.nakamoto) this.node.streamMicroblock();
      const block = this.node.mine({
        tenure: starts ? 'new' : 'same',
        ...(time !== undefined && { time }),
        quiet: nextBlock !== undefined,
      });
      this.#tellLate();
      if (nextBlock?.kind === 'miss') this.missed.push({ id: block.indexHash, letters: lettersOf(block) });
      if (nextBlock?.kind === 'late') this.late.push({ block, blocks: nextBlock.blocks });
      return block;
    });
  }

  /** Does something to the chain, remembers it, and only then tells of it. */
  async remembering<T>(work: () => T): Promise<T> {
    this.#untold = [];
    const result = work();
    const told = this.#untold;
    this.#untold = undefined;
    await this.#remember(told);
    for (const letter of told) this.outbox.send(letter);
    await this.outbox.drained();
    return result;
  }

  #tellLate(): void {
    for (const waiting of this.late) waiting.blocks--;
    const due = this.late.filter(each => each.blocks <= 0);
    this.late.splice(0, this.late.length, ...this.late.filter(each => each.blocks > 0));
    for (const { block } of due) this.node.tell(block);
  }

  async #remember(untold: readonly Letter[] = []): Promise<void> {
    const { file } = this.options;
    const fresh = this.#fresh;
    this.#fresh = [];
    if (!file) return;
    await this.#archive?.add(fresh.map(block => recordOf(block, this.node.chain.release)));
    // What is held back would be lost with the process: a restart sends it.
    const held = this.late.flatMap(({ block }) => lettersOf(block));
    const letters = [...this.outbox.pending, ...untold, ...held];
    await writeSnapshot(file, takeSnapshot(this.node, this.people, letters, this.missed));
  }

  #schedule(): void {
    if (this.#stopped) return;
    const pause = this.options.blockSeconds * 1000;
    this.#timer = setTimeout(() => {
      void this.exclusively(() => this.step())
        .catch(() => {})
        .then(() => this.#schedule());
    }, pause);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.outbox.stop();
    await this.#working;
    await this.#remember();
    await this.#rpc?.stop();
  }

  /** The accounts that are there to be used, with their keys. */
  get userKeys(): { address: string; privateKey: string }[] {
    return userAccounts.map(index => {
      const { address, key } = this.people.account(index);
      return { address, privateKey: `${bareHex(key.secret)}01` };
    });
  }
}

const lettersOf = (block: BuiltBlock): Letter[] => [...block.burnBlocks.map(burnMessage), block].map(letterOf);

/** Opens a devnet, a new one or the one that the file remembers; it mines once `run` is called. */
export async function openSimulation(options: SimulationOptions): Promise<Simulation> {
  const snapshot = options.file ? await readSnapshot(options.file) : undefined;
  if (!snapshot && options.mustResume) {
    throw new Error(`the devnet cannot go on: ${options.file} is gone; remove the data folder to begin anew`);
  }
  const now = options.now?.() ?? Math.floor(Date.now() / 1000);
  const first = (options.firstBlocks ?? 24) * Math.max(1, options.blockSeconds) + 60;
  const seed = snapshot?.seed ?? options.seed;
  const simulation = new Simulation({ ...options, seed }, snapshot?.startedAt ?? now - first, snapshot !== undefined);
  if (snapshot) {
    restoreSnapshot(snapshot, simulation.node, simulation.people);
    simulation.missed.push(...(snapshot.missed ?? []));
    for (const letter of snapshot.letters) simulation.outbox.send(letter);
  }
  await simulation.open();
  return simulation;
}
