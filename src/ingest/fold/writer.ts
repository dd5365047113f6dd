import { setImmediate } from 'node:timers/promises';
import type { Network } from '@cairn-stacks/codec/network';
import type { Block } from '../../chain/block.ts';
import { journalChannel, journalKinds } from '../../chain/journal.ts';
import type { Pool } from '../../db/client.ts';
import { Flush } from '../../db/flush.ts';
import type { Writer } from '../../db/writer.ts';
import { readBlock } from '../../node/messages.ts';
import { addGenesisNames, type GenesisNames, genesisPrincipals, showGenesisNames } from '../load/genesis-names.ts';
import { eventById, parseEvent } from '../log/event-reader.ts';
import { mempoolNewsTable } from '../mempool/changes.ts';
import { MempoolFold } from '../mempool/mempool-fold.ts';
import { projections } from '../projections/all.ts';
import { blocks as headers } from '../projections/blocks.ts';
import { Batch } from '../rows/batch.ts';
import { BatchNames } from '../rows/batch-names.ts';
import { loadTotals } from '../rows/chain-totals.ts';
import { Interner } from '../rows/interner.ts';
import { addJournal } from '../rows/journal.ts';
import { addNonCanonicalRows } from '../rows/non-canonical-rows.ts';
import type { ChainTotals } from '../rows/projection.ts';
import { type ResolvedBlock, resolveBlock, unresolvedBlock } from '../rows/resolved-block.ts';
import { deleteAbove, drawRevision, rollbackTo } from '../rows/rollback.ts';
import { RunningTotals } from '../rows/running-totals.ts';
import { StateDigest } from '../rows/state-digest.ts';
import { noNames } from '../rows/used-names.ts';
import { SignerFold } from '../signers/signer-fold.ts';
import { findTreeBlocks } from '../tree/block-tree.ts';
import { addBurnTotals, burnHistory } from '../tree/burn-blocks.ts';
import type { BurnSwitch } from '../tree/burn-branch.ts';
import { setCanonicalBurnBlocks, storeSourceTips } from '../tree/burn-tree.ts';
import { hasStream, streamReceipts, unconfirmedBlock } from '../tree/microblock-stream.ts';
import { writeTreeChange } from '../tree/tree-change.ts';
import type { FoldLog } from './fold-log.ts';
import type { FoldMemory } from './fold-memory.ts';
import type { FoldLease } from './lease/fold-lease.ts';
import type { BlockStep, Plan, Step } from './plan.ts';
import { movePosition, type Position, setHalt, takeOver } from './position.ts';

type Parts = {
  sql: Pool;
  connection: Writer;
  /** The right to write; a transaction waits until it is held. */
  lease?: Pick<FoldLease, 'held'>;
  network: Network;
  log: FoldLog;
  memory?: Pick<FoldMemory, 'names' | 'totals'>;
  /** Sends no notifications: the tables have no readers yet. */
  quiet?: boolean;
  /** Every transaction is undone at its end: this shows only whether a plan can be written. */
  trial?: boolean;
};

/** Moves the tables, one transaction at a time, each fenced by the position row; the next one is prepared meanwhile. */
export class FoldWriter {
  readonly sql: Pool;
  readonly #position: Position;
  readonly #connection: Writer;
  readonly #lease: Pick<FoldLease, 'held'> | undefined;
  readonly #network: Network;
  readonly #log: FoldLog;
  readonly #quiet: boolean;
  readonly #trial: boolean;
  readonly #names: Interner;
  readonly #totals: RunningTotals;
  readonly #mempool: MempoolFold;
  readonly #signers: SignerFold;
  #chain: ChainTotals;
  /** Position that the row holds, as opposed to the one the transaction under way will leave. */
  #committedEvent: bigint;
  #underWay: Promise<void> = Promise.resolve();
  #idle = true;
  /** Microblocks on the tip have arrived since the unconfirmed rows were written. */
  #unconfirmedGrew = false;

  private constructor(parts: Parts, position: Position, chain: ChainTotals, mempool: MempoolFold, signers: SignerFold) {
    this.sql = parts.sql;
    this.#connection = parts.connection;
    this.#lease = parts.lease;
    this.#network = parts.network;
    this.#log = parts.log;
    this.#quiet = parts.quiet ?? false;
    this.#trial = parts.trial ?? false;
    this.#position = position;
    this.#names = new Interner(parts.memory?.names);
    this.#totals = new RunningTotals(projections, position.height < 1, parts.memory?.totals);
    this.#chain = chain;
    this.#mempool = mempool;
    this.#signers = signers;
    this.#committedEvent = position.eventId;
  }

  static async open(parts: Parts): Promise<FoldWriter> {
    const position = await takeOver(parts.sql);
    const chain = await loadTotals(parts.sql, position.height);
    const mempool = await MempoolFold.open(parts.sql, position.height, parts.network.chainId);
    const signers = await SignerFold.open(parts.sql);
    const writer = new FoldWriter(parts, position, chain, mempool, signers);
    // A stop may have come between microblocks and their unconfirmed rows.
    if (!position.unconfirmed) await writer.findUnconfirmed();
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
    // A new tip deletes the unconfirmed rows; readers of the journal do not see that as a rollback.
    const drop = this.#position.unconfirmed && blocks.length > 0 && plan.rollback === undefined;
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
    const resolved = await this.#applyBlocks(blocks, batch);
    const genesisNames = await this.#addGenesisNames(steps, resolved, batch);
    for (const step of steps) addNonCanonicalRows(step, batch, this.#position, this.#log);
    if (steps.some(step => step.kind === 'microblocks' && step.live)) this.#unconfirmedGrew = true;
    await this.#mempool.fold(steps, resolved, this.#names, batch);

    flush.query('select fence($1::bigint, $2::bigint)', [this.#position.writer, this.#committedEvent]);
    if (plan.burnSwitch) switchBurnBranch(flush, plan.burnSwitch);
    for (const change of plan.treeChanges ?? []) writeTreeChange(flush, change);
    if (rollback !== undefined) {
      this.#signers.removeBlocks(flush, rollback, tip);
      rollbackTo(flush, projections, rollback, this.#position.bulk ? rollback : tip);
      if (rollback < tip) drawRevision(flush);
    }
    const last = steps.at(-1)?.event;
    const changes = this.#mempool.write(batch, flush);
    if (changes) {
      addJournal(batch, this.#position, journalKinds.mempool, last?.id ?? this.#position.eventId, this.#position);
      // A bulk load has no followers. An empty row says that the step is stored.
      if (!this.#position.bulk) batch.add(mempoolNewsTable, [this.#position.journalSeq, changes]);
    }
    const signed = steps.some(step => step.kind === 'signer_messages');
    if (signed) addJournal(batch, this.#position, journalKinds.signers, last!.id, this.#position);
    batch.write(flush);
    const applied = resolved.length > 0 ? { from: resolved[0]!.height, to: resolved.at(-1)!.height } : undefined;
    this.#signers.write(flush, steps, applied, this.#position.bulk ? 0n : this.#position.journalSeq);
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
      const event = await eventById(this.sql, id, { asMessages: true });
      if (!event) throw new Error(`event ${id} is not in the log`);
      steps.push({ kind: 'block', event, block: readBlock(parseEvent(event)) });
    }
    return steps;
  }

  /**
   * Sets caches and position to the state at `height`, which a rollback in the same transaction restores. Returns how many
   * blocks that removes.
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
    this.#position.unconfirmed = false;
    return fork?.removed ?? 0;
  }

  /** Computes the rows of blocks that follow the current tip. */
  async #applyBlocks(steps: readonly BlockStep[], batch: Batch): Promise<ResolvedBlock[]> {
    if (steps.length === 0) return [];
    const { mainnet } = this.#network;
    const unresolved = [];
    const used = noNames();
    for (const { block } of steps) {
      const genesis = block.height === 1 ? await this.#genesisFor(block) : undefined;
      unresolved.push(unresolvedBlock(block, genesis, mainnet, used));
    }
    batch.addNames(await this.#names.resolve(this.sql, used));
    const names = new BatchNames(this.#names, used);
    const resolved = unresolved.map(unresolved => resolveBlock(unresolved, names, mainnet));
    await this.#totals.load(this.sql, resolved, this.#names, this.#position.height);
    this.#unconfirmedGrew = false;
    const rows = this.#position.bulk ? batch.withoutCurrents() : batch;
    for (const [i, block] of resolved.entries()) {
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
    return resolved;
  }

  /** Block 0 has no rows of its own: its content is shown with block 1. */
  async #genesisFor(block: Block): Promise<Block | undefined> {
    const [genesis] = await findTreeBlocks(this.sql, [Buffer.from(block.parentIndexHash)]);
    if (!genesis || genesis.empty || genesis.height !== 0) return undefined;
    return await this.#loadBlock(genesis.eventId);
  }

  /** Stores the names that the chain began with; returns those that block 1 must show now. */
  async #addGenesisNames(
    steps: readonly Step[],
    resolved: ResolvedBlock[],
    batch: Batch,
  ): Promise<readonly GenesisNames[] | 'all'> {
    const parts = steps.filter(step => step.kind === 'genesis_names');
    if (parts.length > 0) {
      const principals = new Set(parts.flatMap(({ part }) => genesisPrincipals(part)));
      batch.addNames(await this.#names.resolve(this.sql, { ...noNames(), principals }));
    }
    for (const { part, event } of parts) {
      addGenesisNames(batch, part, name => this.#names.principal(name));
      addJournal(batch, this.#position, journalKinds.names, event.id, this.#position);
    }
    if (resolved.some(({ height }) => height === 1)) return 'all';
    return this.#position.height >= 1 ? parts.map(({ part }) => part) : [];
  }

  #movePosition(flush: Flush): void {
    movePosition(flush, this.#position);
    if (!this.#quiet) flush.query(`select pg_notify('${journalChannel}', $1)`, [this.#position.journalSeq]);
    this.#committedEvent = this.#position.eventId;
  }

  async #send(flush: Flush): Promise<void> {
    await this.#underWay;
    await this.#lease?.held();
    this.#names.rotate();
    this.#totals.rotate();
    this.#underWay = this.#connection.run(flush);
    this.#idle = false;
    const done = () => {
      this.#idle = true;
    };
    // The next caller that waits gets the failure; until then it must not count as unhandled.
    this.#underWay.then(done, done);
  }

  /** Checks whether microblocks follow the tip; their rows are written when the log is drained. */
  async findUnconfirmed(): Promise<void> {
    this.#unconfirmedGrew = await hasStream(this.sql, this.#position.indexHash);
  }

  /**
   * Writes the unconfirmed microblocks on the tip as rows at height + 1. Called when the log is drained: while behind, the
   * next block would delete them at once.
   */
  async writeUnconfirmed(): Promise<void> {
    if (!this.#unconfirmedGrew) return;
    await this.#underWay;
    this.#unconfirmedGrew = false;
    const receipts = await streamReceipts(this.sql, this.#position.indexHash);
    if (receipts.length === 0) return;
    const flush = new Flush();
    const batch = new Batch();
    const unconfirmed = unconfirmedBlock(this.#position, receipts);
    const before = { ...this.#chain, byType: [...this.#chain.byType] };
    this.#totals.clear();
    const { mainnet } = this.#network;
    const used = noNames();
    const unresolved = unresolvedBlock(unconfirmed, undefined, mainnet, used);
    batch.addNames(await this.#names.resolve(this.sql, used));
    const resolved = resolveBlock(unresolved, new BatchNames(this.#names, used), mainnet);
    await this.#totals.load(this.sql, [resolved], this.#names, this.#position.height);
    for (const projection of projections) {
      // Current values are those of the tip.
      if (projection !== headers) projection.apply(resolved, this.#totals, this.#chain, batch.withoutCurrents());
    }
    flush.query('select fence($1::bigint, $2::bigint)', [this.#position.writer, this.#committedEvent]);
    rollbackTo(flush, projections, this.#position.height, this.#position.height);
    addJournal(batch, this.#position, journalKinds.microblock, this.#position.eventId, this.#position);
    batch.write(flush);
    this.#position.unconfirmed = true;
    this.#movePosition(flush);
    await this.#send(flush);
    await this.#underWay;
    this.#chain = before;
    this.#totals.clear();
  }

  async #loadBlock(eventId: bigint): Promise<Block> {
    const event = await eventById(this.sql, eventId, { asMessages: true });
    if (!event) throw new Error(`event ${eventId} is not in the log`);
    return readBlock(parseEvent(event));
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
