import { setImmediate } from 'node:timers/promises';
import type { Block } from '../../chain/block.ts';
import { journalKinds } from '../../chain/journal.ts';
import type { Pool } from '../../db/client.ts';
import { Flush } from '../../db/flush.ts';
import type { Writer } from '../../db/writer.ts';
import type { Network } from '../../network.ts';
import { parseMessage } from '../../node/json.ts';
import { readBlock } from '../../node/messages.ts';
import { addGenesisNames, type GenesisNames, genesisPrincipals, showGenesisNames } from '../load/genesis-names.ts';
import { eventById } from '../log/event-reader.ts';
import { MempoolFold } from '../mempool/mempool-fold.ts';
import { mempoolNewsTable } from '../mempool/news.ts';
import { projections } from '../projections/all.ts';
import { blocks as headers } from '../projections/blocks.ts';
import { Batch } from '../rows/batch.ts';
import { BatchNames } from '../rows/batch-names.ts';
import { loadTotals } from '../rows/chain-totals.ts';
import { Interner } from '../rows/interner.ts';
import { addJournal, journalChannel } from '../rows/journal.ts';
import { addNonCanonicalRows } from '../rows/non-canonical-rows.ts';
import type { ChainTotals } from '../rows/projection.ts';
import { type ResolvedBlock, resolveBlock, unresolvedBlock } from '../rows/resolved-block.ts';
import { deleteAbove, drawRevision, rollbackTo } from '../rows/rollback.ts';
import { RunningTotals } from '../rows/running-totals.ts';
import { StateDigest } from '../rows/state-digest.ts';
import { noNames } from '../rows/used-names.ts';
import { findTreeBlocks } from '../tree/block-tree.ts';
import { addBurnTotals, burnHistory } from '../tree/burn-blocks.ts';
import { setCanonicalBurnBlocks, storeSourceTips } from '../tree/burn-tree.ts';
import type { BurnSwitch } from '../tree/burn-view.ts';
import { hasStream, provisionalBlock, streamReceipts } from '../tree/microblock-stream.ts';
import { writeTreeChange } from '../tree/tree-change.ts';
import type { FoldLog } from './fold-log.ts';
import type { BlockStep, Plan, Step } from './plan.ts';
import { movePosition, type Position, setHalt, takeOver } from './position.ts';

type Parts = {
  sql: Pool;
  connection: Writer;
  network: Network;
  log: FoldLog;
  /** No notification of the steps: nobody reads these tables yet. */
  quiet?: boolean;
  /** Every transaction is undone at its end: this shows only whether a plan can be written. */
  trial?: boolean;
};

/** Moves the tables, one transaction at a time, each fenced by the position row; the next one is prepared meanwhile. */
export class FoldWriter {
  readonly sql: Pool;
  readonly #position: Position;
  readonly #connection: Writer;
  readonly #network: Network;
  readonly #log: FoldLog;
  readonly #quiet: boolean;
  readonly #trial: boolean;
  readonly #names = new Interner();
  readonly #totals: RunningTotals;
  readonly #mempool: MempoolFold;
  #chain: ChainTotals;
  /** Position that the row holds, as opposed to the one the transaction under way will leave. */
  #committedEvent: bigint;
  #underWay: Promise<void> = Promise.resolve();
  #idle = true;
  /** A stream on the tip has grown since the provisional layer was written. */
  #streamGrew = false;

  private constructor(parts: Parts, position: Position, chain: ChainTotals, mempool: MempoolFold) {
    this.sql = parts.sql;
    this.#connection = parts.connection;
    this.#network = parts.network;
    this.#log = parts.log;
    this.#quiet = parts.quiet ?? false;
    this.#trial = parts.trial ?? false;
    this.#position = position;
    this.#totals = new RunningTotals(projections, position.height < 1);
    this.#chain = chain;
    this.#mempool = mempool;
    this.#committedEvent = position.eventId;
  }

  static async open(parts: Parts): Promise<FoldWriter> {
    const position = await takeOver(parts.sql);
    const chain = await loadTotals(parts.sql, position.height);
    const mempool = await MempoolFold.open(parts.sql, position.height, parts.network.chainId);
    const writer = new FoldWriter(parts, position, chain, mempool);
    // A stop may have come between a stream and its layer.
    if (!position.provisional) await writer.findStream();
    return writer;
  }

  /** Where the last transaction that was sent leaves the fold. */
  get position(): Readonly<Position> {
    return this.#position;
  }

  /** True while no transaction is under way. */
  get idle(): boolean {
    return this.#idle;
  }

  /**
   * Lets the transaction under way go on: its bytes do not fit into the socket at once, and the rest of them waits until this
   * thread is free.
   */
  async yieldToEventLoop(): Promise<void> {
    if (!this.#idle) await setImmediate();
  }

  /** Resolves when the transaction under way has committed; rejects when it failed. */
  settled(): Promise<void> {
    return this.#underWay;
  }

  /** Writes a plan in one fenced transaction and sends it; the caller may prepare the next one meanwhile. */
  async write(plan: Plan): Promise<void> {
    const steps = [...(await this.#branchSteps(plan.branch ?? [])), ...plan.steps];
    const flush = new Flush();
    const batch = new Batch();
    const blocks = steps.filter(step => step.kind === 'block');
    // A new tip drops the provisional layer; that is no step back for anyone who reads the journal.
    const drop = this.#position.provisional && blocks.length > 0 && plan.rollback === undefined;
    const rollback = drop ? this.#position.height : plan.rollback;
    const tip = this.#position.height;
    if (rollback !== undefined) {
      const removed = await this.#goBackTo(rollback);
      if (!drop) {
        this.#position.blockEvents += BigInt(removed);
        const fork = { height: rollback, indexHash: this.#position.indexHash };
        const cause = blocks.at(-1)?.event.id ?? this.#position.eventId;
        addJournal(batch, this.#position, journalKinds.rollback, cause, fork);
        await this.#mempool.goBackTo(rollback, this.#names, batch);
      }
    }
    const placed = await this.#applyBlocks(blocks, batch);
    const genesisNames = await this.#addGenesisNames(steps, placed, batch);
    for (const step of steps) addNonCanonicalRows(step, batch, this.#position, this.#log);
    if (steps.some(step => step.kind === 'microblocks' && step.live)) this.#streamGrew = true;
    await this.#mempool.fold(steps, placed, this.#names, batch);

    flush.query('select fence($1::bigint, $2::bigint)', [this.#position.writer, this.#committedEvent]);
    if (plan.burnSwitch) switchBurnBranch(flush, plan.burnSwitch);
    for (const change of plan.treeChanges ?? []) writeTreeChange(flush, change);
    if (rollback !== undefined) {
      rollbackTo(flush, projections, rollback, this.#position.bulk ? rollback : tip);
      if (rollback < tip) drawRevision(flush);
    }
    const last = steps.at(-1)?.event;
    const news = this.#mempool.write(batch, flush);
    if (news) {
      addJournal(batch, this.#position, journalKinds.mempool, last?.id ?? this.#position.eventId, this.#position);
      // A bulk load has no followers.
      if (news.length > 0 && !this.#position.bulk) batch.add(mempoolNewsTable, [this.#position.journalSeq, news]);
    }
    batch.write(flush);
    showGenesisNames(flush, genesisNames, this.#position.bulk);
    addBurnTotals(
      flush,
      steps.flatMap(step => (step.kind === 'burn' ? [step.burn] : [])),
    );
    if (plan.burnSources) storeSourceTips(flush, plan.burnSources);
    if (plan.rootMidChain) this.#position.rootMidChain = true;
    if (last && last.id > this.#position.eventId) this.#position.eventId = last.id;
    this.#movePosition(flush);
    // No writer has this token: the transaction fails here, after all its statements have run.
    if (this.#trial) flush.query('select fence($1::bigint, $2::bigint)', [-1, -1]);
    await this.#send(flush);
  }

  /** The blocks of events, ready to be applied. */
  async #branchSteps(eventIds: readonly bigint[]): Promise<BlockStep[]> {
    const steps: BlockStep[] = [];
    for (const id of eventIds) {
      const event = await eventById(this.sql, id);
      if (!event) throw new Error(`event ${id} is not in the log`);
      steps.push({ kind: 'block', event, block: readBlock(parseMessage(event.body)) });
    }
    return steps;
  }

  /**
   * Sets the memory of the writer to the state at `height`, which a rollback in the same transaction will restore. Returns
   * how many blocks that takes back.
   */
  async #goBackTo(height: number): Promise<number> {
    await this.#underWay;
    this.#totals.clear();
    this.#chain = await loadTotals(this.sql, height);
    this.#position.height = height > 0 ? height : -1;
    const [fork] = await this.sql<{ index_hash: Buffer | null; removed: number }[]>`
      select
        (select b.index_hash from blocks b where b.height = ${height}) as index_hash,
        (select count(*)::int from blocks b where b.height > ${height}) as removed
    `;
    this.#position.indexHash = fork?.index_hash ?? Buffer.alloc(0);
    this.#position.provisional = false;
    return fork?.removed ?? 0;
  }

  /** Computes the rows of blocks that follow the current tip. */
  async #applyBlocks(steps: readonly BlockStep[], batch: Batch): Promise<ResolvedBlock[]> {
    if (steps.length === 0) return [];
    const { mainnet } = this.#network;
    const drafts = [];
    const used = noNames();
    for (const { block } of steps) {
      const genesis = block.height === 1 ? await this.#genesisFor(block) : undefined;
      drafts.push(unresolvedBlock(block, genesis, mainnet, used));
    }
    batch.addNames(await this.#names.resolve(this.sql, used));
    const names = new BatchNames(this.#names, used);
    const placed = drafts.map(draft => resolveBlock(draft, names, mainnet));
    await this.#totals.load(this.sql, placed, this.#names, this.#position.height);
    this.#streamGrew = false;
    const rows = this.#position.bulk ? batch.withoutCurrents() : batch;
    for (const [i, block] of placed.entries()) {
      const digest = new StateDigest(rows);
      for (const projection of projections) {
        if (projection === headers) this.#chain.stateHash = digest.finish(this.#chain.stateHash, block);
        projection.apply(block, this.#totals, this.#chain, digest);
      }
      this.#position.height = block.height;
      this.#position.indexHash = Buffer.from(block.block.indexHash);
      this.#position.blockEvents++;
      addJournal(batch, this.#position, journalKinds.apply, steps[i]!.event.id, this.#position);
      await this.yieldToEventLoop();
    }
    return placed;
  }

  /** Block 0 has no rows of its own: what it says is shown with block 1. */
  async #genesisFor(block: Block): Promise<Block | undefined> {
    const [genesis] = await findTreeBlocks(this.sql, [Buffer.from(block.parentIndexHash)]);
    if (!genesis || genesis.empty || genesis.height !== 0) return undefined;
    return await this.#loadBlock(genesis.eventId);
  }

  /** Keeps the names that the chain began with, and says which of them block 1 is to show now. */
  async #addGenesisNames(
    steps: readonly Step[],
    placed: ResolvedBlock[],
    batch: Batch,
  ): Promise<readonly GenesisNames[] | 'all'> {
    const told = steps.filter(step => step.kind === 'genesis_names');
    if (told.length > 0) {
      const principals = new Set(told.flatMap(({ part }) => genesisPrincipals(part)));
      batch.addNames(await this.#names.resolve(this.sql, { ...noNames(), principals }));
    }
    for (const { part, event } of told) {
      addGenesisNames(batch, part, name => this.#names.principal(name));
      addJournal(batch, this.#position, journalKinds.names, event.id, this.#position);
    }
    if (placed.some(({ height }) => height === 1)) return 'all';
    return this.#position.height >= 1 ? told.map(({ part }) => part) : [];
  }

  #movePosition(flush: Flush): void {
    movePosition(flush, this.#position);
    if (!this.#quiet) flush.query(`select pg_notify('${journalChannel}', $1)`, [this.#position.journalSeq]);
    this.#committedEvent = this.#position.eventId;
  }

  async #send(flush: Flush): Promise<void> {
    await this.#underWay;
    this.#names.rotate();
    this.#totals.rotate();
    this.#underWay = this.#connection.run(flush);
    this.#idle = false;
    const done = () => {
      this.#idle = true;
    };
    // The failure is reported by whoever waits next; until then it is not unhandled.
    this.#underWay.then(done, done);
  }

  /** Looks whether a stream follows the tip; its layer is written when the log is drained. */
  async findStream(): Promise<void> {
    this.#streamGrew = await hasStream(this.sql, this.#position.indexHash);
  }

  /**
   * Writes the stream on the tip as a layer at height + 1. Called when the log is drained: while behind, the next block would
   * drop it at once.
   */
  async writeUnconfirmed(): Promise<void> {
    if (!this.#streamGrew) return;
    await this.#underWay;
    this.#streamGrew = false;
    const receipts = await streamReceipts(this.sql, this.#position.indexHash);
    if (receipts.length === 0) return;
    const flush = new Flush();
    const batch = new Batch();
    const layer = provisionalBlock(this.#position, receipts);
    const before = { ...this.#chain, byType: [...this.#chain.byType] };
    this.#totals.clear();
    const { mainnet } = this.#network;
    const used = noNames();
    const draft = unresolvedBlock(layer, undefined, mainnet, used);
    batch.addNames(await this.#names.resolve(this.sql, used));
    const placed = resolveBlock(draft, new BatchNames(this.#names, used), mainnet);
    await this.#totals.load(this.sql, [placed], this.#names, this.#position.height);
    for (const projection of projections) {
      // Current values are those of the tip.
      if (projection !== headers) projection.apply(placed, this.#totals, this.#chain, batch.withoutCurrents());
    }
    flush.query('select fence($1::bigint, $2::bigint)', [this.#position.writer, this.#committedEvent]);
    rollbackTo(flush, projections, this.#position.height, this.#position.height);
    addJournal(batch, this.#position, journalKinds.microblock, this.#position.eventId, this.#position);
    batch.write(flush);
    this.#position.provisional = true;
    this.#movePosition(flush);
    await this.#send(flush);
    await this.#underWay;
    this.#chain = before;
    this.#totals.clear();
  }

  async #loadBlock(eventId: bigint): Promise<Block> {
    const event = await eventById(this.sql, eventId);
    if (!event) throw new Error(`event ${eventId} is not in the log`);
    return readBlock(parseMessage(event.body));
  }

  /** Stores at which event the fold has stopped and why; null when it goes on. */
  async setHalt(eventId: bigint | null, reason: string | null): Promise<void> {
    await this.#underWay;
    await setHalt(this.sql, this.#position, eventId, reason);
  }
}

/** Adds the statements that take the burn tables back to the fork; the steps fill them from the other branch. */
function switchBurnBranch(flush: Flush, { forkHeight, branch, replaced }: BurnSwitch): void {
  // Blocks of the branch that were canonical already are written again.
  const top = Math.max(forkHeight, ...[...replaced, ...branch].map(({ height }) => height));
  deleteAbove(flush, [burnHistory], forkHeight, top);
  setCanonicalBurnBlocks(flush, replaced, false);
  setCanonicalBurnBlocks(flush, branch, true);
}
