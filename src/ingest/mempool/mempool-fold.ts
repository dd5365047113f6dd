import { decodeAccepted } from '@cairn-stacks/codec/transaction/transaction';
import { payloadIds } from '../../chain/transaction.ts';
import type { Sql } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';
import type { Step } from '../fold/plan.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import type { Batch } from '../rows/batch.ts';
import { Generations } from '../rows/generations.ts';
import type { Interner } from '../rows/interner.ts';
import type { ResolvedBlock, ResolvedTransaction } from '../rows/resolved-block.ts';
import { noNames } from '../rows/used-names.ts';
import { findMined, findOrphans, findTenure, type OrphanRow } from './chain.ts';
import { contentOf, type NamedTransaction, nameTransaction, readPending, resolvedContent } from './content.ts';
import type { Content } from './entries.ts';
import type { Mempool, Origin } from './mempool.ts';
import {
  loadMempool,
  mempoolReceiptsTable,
  mempoolSourcesTable,
  mempoolUnreadTable,
  writeMempool,
  writeSamples,
} from './rows.ts';

/** Receipts and unread items of this many blocks are stored; older ones are deleted every `pruneEvery` blocks. */
const journalBlocks = 256;
const pruneEvery = 64;
/** Changes of this many journal steps are stored, for followers that fell behind. */
const storedChanges = 10_000;
/** Mined transactions that need no look-up when a node announces them late. */
const cachedIds = 100_000;
/** Samples of this many minutes are stored. */
const sampledMinutes = 30 * 24 * 60;
/** Bits of `holders`; further sources share the last one. */
const maxSources = 31;

/** Moves the mempool along with the steps of the fold's transactions. */
export class MempoolFold {
  readonly #sql: Sql;
  readonly #chainId: number;
  readonly #mempool: Mempool;
  readonly #sources: Map<string, number>;
  /** Mined lately, those of the transaction under way among them. */
  readonly #mined: Generations<string, true>;
  #written: bigint;
  #dirty = false;
  #rollback: number | undefined;
  #prune: number | undefined;
  /** Numbers of pending transactions by type after the last event of each minute, to be written. */
  readonly #samples = new Map<number, readonly number[]>();

  private constructor(sql: Sql, chainId: number, mempool: Mempool, sources: Map<string, number>, complete: boolean) {
    this.#sql = sql;
    this.#mined = new Generations(cachedIds, complete);
    this.#chainId = chainId;
    this.#mempool = mempool;
    this.#sources = sources;
    this.#written = mempool.entries.figures.version;
  }

  static async open(sql: Sql, height: number, chainId: number): Promise<MempoolFold> {
    const rows = await sql<{ bit: number; source: string }[]>`select s.bit, s.source from mempool_sources s`;
    const sources = new Map(rows.map(({ bit, source }) => [source, bit]));
    return new MempoolFold(sql, chainId, await loadMempool(sql, height), sources, height < 1);
  }

  /** Makes the transactions above a height pending again; the tables must still have them. */
  async goBackTo(height: number, names: Interner, batch: Batch): Promise<void> {
    const mempool = this.#mempool;
    const orphans = await findOrphans(this.#sql, height);
    const named = new Map<OrphanRow, NamedTransaction>();
    for (const row of orphans) {
      const transaction = decodeAccepted(row.raw);
      // Chain id 0: transactions that the node made itself. Unknown types are never shown as pending.
      if (transaction.payload.type === 'unknown') continue;
      if (transaction.chainId !== 0) named.set(row, nameTransaction(transaction, row.raw, row.tx_id));
    }
    await this.#resolve([...named.values()], names, batch);
    mempool.releaseStreamed();
    for (const [row, transaction] of named) {
      mempool.orphan(row.tx_id.toString('hex'), contentOf(transaction, names), {
        eventId: row.event_id,
        receivedAt: row.received_at,
        receivedHeight: row.received_height,
        receivedTenure: row.received_tenure,
        holders: row.holders,
      });
    }
    mempool.tip = { height: height > 0 ? height : -1, tenure: await findTenure(this.#sql, height) };
    this.#mined.clear();
    this.#rollback = height;
    this.#dirty = true;
  }

  /** Applies the steps in their order; `resolved` are the blocks among them. */
  async fold(steps: readonly Step[], resolved: readonly ResolvedBlock[], names: Interner, batch: Batch): Promise<void> {
    const mined = new Map<string, ResolvedTransaction>();
    for (const { transactions } of resolved) {
      for (const item of transactions) if (isSigned(item)) mined.set(keyOf(item), item);
    }
    const known = await this.#prepare(steps, mined, names, batch);
    const content = (key: string): Content => {
      const named = known.get(key);
      if (named) return contentOf(named, names);
      const item = mined.get(key)!;
      return resolvedContent(item, item.receipt.transaction!);
    };
    const done = new Set<string>();
    let next = 0;
    for (const step of steps) {
      if (step.kind === 'block') this.#block(resolved[next++]!, step.event, done, batch);
      if (step.kind === 'arrivals') {
        const origin = this.#origin(step.event, batch);
        this.#mempool.hear(origin);
        for (const arrival of step.arrivals) {
          if ('unread' in arrival || done.has(arrival.key)) continue;
          if (known.has(arrival.key) || isShown(mined.get(arrival.key))) {
            this.#mempool.arrive(arrival.key, origin, () => content(arrival.key));
          }
        }
      }
      if (step.kind === 'drop') {
        const origin = this.#origin(step.event, batch);
        this.#mempool.hear(origin);
        for (const key of step.drop.keys) this.#mempool.drop(key, origin, step.drop.reason, step.drop.replacedBy);
      }
      if (step.kind === 'microblocks' && step.live) {
        const origin = this.#origin(step.event, batch);
        for (const { txId, transaction, boot } of step.stream.receipts) {
          const key = Buffer.from(txId).toString('hex');
          if (transaction && !boot && !done.has(key)) this.#mempool.stream(key, origin, () => content(key));
        }
      }
      if (samplesMempool.has(step.kind)) {
        this.#samples.set(Math.floor(seconds(step.event) / 60), [...this.#mempool.entries.figures.types]);
      }
    }
    this.#mined.rotate();
    for (const key of done) this.#mined.set(key, true);
  }

  /**
   * Adds the changes, to run before the rows of the batch. Returns the ids of transactions that arrived, came back or were
   * dropped, mined at once or not; undefined where readers of the mempool see no change.
   */
  write(batch: Batch, flush: Flush): Buffer | undefined {
    if (this.#rollback !== undefined) {
      flush.query('delete from mempool_receipts where height > $1::int', [this.#rollback]);
      this.#rollback = undefined;
    }
    if (this.#prune !== undefined) {
      flush.query('delete from mempool_receipts where height <= $1::int', [this.#prune]);
      flush.query('delete from mempool_unread where height <= $1::int', [this.#prune]);
      flush.query(`delete from mempool_news n using fold_position p where n.seq < p.journal_seq - ${storedChanges}`);
      this.#prune = undefined;
      const oldest = Math.max(0, ...this.#samples.keys()) - sampledMinutes;
      flush.query('delete from mempool_samples where minute < $1::int', [oldest]);
    }
    if (this.#samples.size > 0) writeSamples(flush, this.#samples);
    this.#samples.clear();
    const { version } = this.#mempool.entries.figures;
    const changed = version !== this.#written;
    if (changed || this.#dirty) writeMempool(this.#mempool, batch, flush);
    this.#written = version;
    this.#dirty = false;
    return changed ? Buffer.from(this.#mempool.entries.takeAnnounced().join(''), 'hex') : undefined;
  }

  /** Decodes the new transactions that the chain does not have yet, and interns their names. */
  async #prepare(
    steps: readonly Step[],
    mined: ReadonlyMap<string, ResolvedTransaction>,
    names: Interner,
    batch: Batch,
  ): Promise<Map<string, NamedTransaction>> {
    const known = new Map<string, NamedTransaction>();
    const unsure: Uint8Array[] = [];
    for (const step of steps) {
      if (step.kind === 'microblocks' && step.live) {
        for (const { txId, raw, transaction } of step.stream.receipts) {
          if (transaction) known.set(Buffer.from(txId).toString('hex'), nameTransaction(transaction, raw, txId));
        }
      }
      if (step.kind !== 'arrivals') continue;
      for (const arrival of step.arrivals) {
        if ('unread' in arrival || mined.has(arrival.key) || this.#mined.get(arrival.key)) continue;
        if (!this.#mined.complete && !this.#mempool.entries.get(arrival.key)) unsure.push(arrival.txId);
      }
    }
    const inChain = await findMined(this.#sql, unsure);
    let height = this.#mempool.tip.height;
    for (const step of steps) {
      if (step.kind === 'block') height = step.block.height;
      if (step.kind !== 'arrivals') continue;
      // Which source announced a transaction is part of the state.
      this.#dirty = true;
      for (const [position, arrival] of step.arrivals.entries()) {
        const unread = (reason: string, body: string) =>
          batch.add(mempoolUnreadTable, [step.event.id, position, height, reason, body]);
        if ('unread' in arrival) {
          unread('no hex text', arrival.unread);
          continue;
        }
        const { key, raw, txId } = arrival;
        if (known.has(key) || mined.has(key) || this.#mined.get(key) || inChain.has(key)) continue;
        const named = readPending(raw, txId, this.#chainId);
        if (typeof named === 'string') unread(named, `0x${raw.toString('hex')}`);
        else known.set(key, named);
      }
    }
    if (steps.some(step => step.kind === 'drop')) this.#dirty = true;
    await this.#resolve([...known.values()], names, batch);
    return known;
  }

  async #resolve(transactions: NamedTransaction[], names: Interner, batch: Batch): Promise<void> {
    if (transactions.length === 0) return;
    const used = noNames();
    const { principals, functions } = used;
    for (const { sender, sponsor, target, functionName } of transactions) {
      principals.add(sender);
      if (sponsor !== undefined) principals.add(sponsor);
      if (target !== undefined) principals.add(target);
      if (functionName !== undefined) functions.add(functionName);
    }
    batch.addNames(await names.resolve(this.#sql, used));
  }

  #block({ block, height, transactions }: ResolvedBlock, event: LoggedEvent, done: Set<string>, batch: Batch): void {
    const signed = transactions.filter(isSigned).map(item => ({
      key: keyOf(item),
      nonce: item.nonce,
      sponsorNonce: item.receipt.transaction?.auth.sponsor?.nonce ?? 0n,
      sender: item.sender,
      sponsor: item.sponsor,
      txPosition: item.txPosition,
    }));
    const txPositions = new Map(signed.map(({ key, txPosition }) => [key, txPosition]));
    const tip = { height, tenure: block.tenureHeight ?? height };
    for (const { key, entry } of this.#mempool.block(tip, { block: block.time, log: seconds(event) }, signed)) {
      const { eventId, receivedAt, receivedHeight, receivedTenure, holders } = entry;
      const txPosition = txPositions.get(key)!;
      batch.add(mempoolReceiptsTable, [
        eventId,
        height,
        receivedAt,
        receivedHeight,
        receivedTenure,
        holders,
        txPosition,
      ]);
    }
    for (const { key } of signed) done.add(key);
    if (height % pruneEvery === 0) this.#prune = height - journalBlocks;
  }

  #origin(event: LoggedEvent, batch: Batch): Origin {
    let bit = event.source.startsWith('node ') ? this.#sources.get(event.source) : 0;
    if (bit === undefined) {
      bit = Math.min(this.#sources.size + 1, maxSources - 1);
      this.#sources.set(event.source, bit);
      if (this.#sources.size < maxSources) batch.add(mempoolSourcesTable, [bit, event.source]);
    }
    return { eventId: event.id, at: seconds(event), bit };
  }
}

/** Steps after which the mempool may hold other transactions. */
const samplesMempool: ReadonlySet<Step['kind']> = new Set(['block', 'arrivals', 'drop', 'microblocks']);
/** True if a user sent it: not a burn operation, nor a transaction of the node itself. */
const isSigned = ({ receipt }: ResolvedTransaction) => receipt.transaction !== undefined && !receipt.boot;
/** A transaction of an unknown type is shown once it is mined. */
const isShown = (item: ResolvedTransaction | undefined) => item !== undefined && item.payloadId !== payloadIds.unknown;
const keyOf = ({ receipt }: ResolvedTransaction) => Buffer.from(receipt.txId).toString('hex');
const seconds = (event: LoggedEvent) => Math.floor(event.at.getTime() / 1000);
