import { bareHex } from '../codec/hex.ts';
import { BlockArchive } from './chain/block-archive.ts';
import { recordOf } from './chain/block-record.ts';
import type { BuiltBlock } from './chain/built-block.ts';
import { burnMessage } from './chain/burn-and-mempool-messages.ts';
import type { Release } from './chain/release.ts';
import { DevnetNode } from './node/devnet-node.ts';
import { type EncodedMessage, encodeMessage, Outbox } from './node/outbox.ts';
import { type MissedBlock, readSnapshot, restoreSnapshot, takeSnapshot, writeSnapshot } from './node/snapshot.ts';
import { userAccounts } from './residents/accounts.ts';
import { Residents } from './residents/residents.ts';
import { playRound } from './residents/round.ts';
import { rpcRoutes } from './rpc/routes.ts';
import { type RpcServer, serveRoutes } from './rpc/server.ts';

export type SimulationOptions = {
  /** URL of the observer, such as http://127.0.0.1:3700; undefined posts nothing. */
  observer: string | undefined;
  host: string;
  port: number;
  /** Seconds between blocks; 0 mines as fast as it can. */
  blockSeconds: number;
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
  /** Unix seconds. */
  now?: () => number;
  onFailure?: (reason: string) => void;
};

/** Every so many blocks, a burn block starts a new tenure. */
const blocksPerTenure = 4;

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
      onBlock: block => void this.#unarchived.push(block),
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
    const ready = blocking ? () => this.outbox.drained() : async () => {};
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
        await this.step(this.node.options.now() - i * Math.max(1, blockSeconds));
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
  async step(time?: number): Promise<BuiltBlock> {
    const { nextBlock } = this;
    this.nextBlock = undefined;
    const starts = (this.node.tip.height + 1) % blocksPerTenure === 1;
    return await this.storing(() => {
      playRound(this.residents);
      if (!this.node.chain.release.nakamoto) this.node.streamMicroblock();
      const block = this.node.mine({
        tenure: starts ? 'new' : 'same',
        ...(time !== undefined && { time }),
        quiet: nextBlock !== undefined,
      });
      this.#postLate();
      if (nextBlock?.kind === 'miss') this.missed.push({ id: block.indexHash, messages: messagesOf(block) });
      if (nextBlock?.kind === 'late') this.late.push({ block, blocks: nextBlock.blocks });
      return block;
    });
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
    for (const { block } of due) this.node.announce(block);
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
    await this.#store();
    await this.#rpc?.stop();
  }

  /** The accounts for the user of the devnet, with their private keys. */
  get userKeys(): { address: string; privateKey: string }[] {
    return userAccounts.map(index => {
      const { address, key } = this.residents.account(index);
      return { address, privateKey: `${bareHex(key.secret)}01` };
    });
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
