import { principalFromBytes, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { bareHex } from '@cairn-stacks/codec/hex';
import type { Position } from '../chain/position.ts';
import type { Pool, Sql } from '../db/client.ts';
import { inSnapshot } from '../db/pool/snapshot.ts';
import { PublicError } from '../errors.ts';
import { renderNakamotoBlock } from '../read/blocks/block-schema.ts';
import type { BlockRow } from '../read/blocks/blocks-queries.ts';
import { splitHashes } from '../read/blocks/hashes-queries.ts';
import { type EventRow, eventKey } from '../read/events/events-queries.ts';
import { findMempoolTransactions } from '../read/mempool/mempool-queries.ts';
import { findMinedArrivals } from '../read/mempool/mined-arrivals-queries.ts';
import { listSbtcEvents, type SbtcEventRow } from '../read/sbtc/sbtc-events-queries.ts';
import { listSummariesAt } from '../read/transactions/summaries-queries.ts';
import { eventItem, logItem, pendingItem, sbtcItem, transactionItem, transferItem } from './block-items.ts';
import {
  areStepsGone,
  type BlockReference,
  findCheck,
  findLowestRollback,
  findStanding,
  type ListedPlace,
  listBlocksAbove,
  listBlocksOf,
  listEventsOf,
  listHashesBetween,
  listHeights,
  listMempoolSteps,
  listParties,
  listPlaces,
  listRemoved,
  type Scope,
  type Standing,
} from './feed-queries.ts';
import type { StreamItem, StreamItems } from './item.ts';

/** One change, with the position after it. */
export type Step =
  | { kind: 'apply'; position: Position; block: string; items: StreamItems }
  | { kind: 'rollback'; position: Position; from: BlockReference; removed: readonly Buffer[] }
  | { kind: 'mempool'; position: Position; items: StreamItems };

/** What follows a position. */
export type Changes = {
  steps: readonly Step[];
  /** The position after the steps, and after the blocks in which the scope finds nothing. */
  position: Position;
  /** The journal number up to which nothing is missing any more; undefined if more changes are there already. */
  upTo: number | undefined;
};

/** What readers want to know; nothing else is read. */
export type Needs = {
  transactions: boolean;
  events: boolean;
  mempool: boolean;
  /** Needs the events too. */
  sbtc: boolean;
  scope?: Scope | undefined;
};

/** The newest journal number and height that the service knows. */
type Tip = { readonly seq: number; readonly height: number };

/** Blocks, transactions and events of one call. */
const MAX_BLOCKS = 50;
const MAX_TRANSACTIONS = 200;
const MAX_EVENTS = 2_000;
const MAX_PENDING = 200;
/** Journal steps of the mempool that are read at once. */
const MAX_MEMPOOL_STEPS = 100;
/** A reader that is further behind than this is led by its filter from block to block. */
const NEAR_BLOCKS = 100;
/** Principals looked up by one statement. */
const PARTIES_AT_ONCE = 1_000;
/** Results that are kept for readers at the same position. */
const KEPT = 32;

/** The steps that readers of this mempool position missed are no longer stored. */
const stepsGone = () =>
  new PublicError(
    410,
    'The steps of the mempool after this position are no longer stored: read the mempool, and go on from the position of /extended/v1/stream/tip.',
  );

/** A client that meets a server that is behind tries again: the field tells it from other mistakes. */
function futurePosition(height: number, tip: number): PublicError {
  const message = `The position is of block ${height}, but the newest block here is ${tip}: try again when it is reached, or use a position up to that of /extended/v1/stream/tip.`;
  return new PublicError(400, message, { statusCode: 400, error: 'Bad Request', message, newest_height: tip });
}

/** The block of a position is unknown here. */
function positionLost({ height }: Position, tip: number): PublicError {
  if (height > tip) return futurePosition(height, tip);
  const from = Math.max(height, 0);
  const message = `The block of this position is unknown here: begin again with from_height=${from}, or lower.`;
  return new PublicError(409, message, { statusCode: 409, error: 'Conflict', message, from_height: from });
}

/**
 * Computes what follows a position, from the canonical chain and not from the history of its steps: blocks that came and went
 * since are left out, and a reader that has a removed block gets a rollback to the block that it shares with the chain.
 */
export class Feed {
  readonly #sql: Pool;
  readonly #kept = new Map<string, Promise<Changes>>();
  /** Principals that readers filter transactions by, with the number of readers. */
  readonly #principals = new Map<string, number>();
  #generation = 0;

  constructor(sql: Pool) {
    this.#sql = sql;
  }

  /** Lets transactions know whether they touch a principal, until the returned function is called. */
  follow(principal: string): () => void {
    const readers = this.#principals.get(principal) ?? 0;
    if (readers === 0) this.#generation++;
    this.#principals.set(principal, readers + 1);
    return () => {
      const left = this.#principals.get(principal)! - 1;
      if (left > 0) this.#principals.set(principal, left);
      else this.#principals.delete(principal);
    };
  }

  /** The newest position: nothing before it is sent. */
  async tip(): Promise<Position> {
    const { seq, check, height, index_hash } = await findStanding(this.#sql, -1);
    return { seq, check, pending: 0, height, indexHash: height < 0 ? Buffer.alloc(0) : index_hash, rest: undefined };
  }

  /** The position before a height: the block of that height is sent first. */
  async before(height: number): Promise<Position> {
    return await inSnapshot(this.#sql, async sql => {
      const { seq, check, height: tip, index_hash_there } = await findStanding(sql, height - 1);
      if (height > tip + 1) throw new PublicError(400, `from_height is above the next block, which is ${tip + 1}`);
      const known = index_hash_there !== null;
      return {
        ...{ seq, check, pending: 0, rest: undefined },
        ...{ height: known ? height - 1 : -1, indexHash: index_hash_there ?? Buffer.alloc(0) },
      };
    });
  }

  /** Index hashes of the blocks above a height and up to another one, the highest first. */
  async hashesBetween(above: number, upTo: number): Promise<Buffer[]> {
    return await listHashesBetween(this.#sql, above, upTo);
  }

  /**
   * What follows a position. Readers at the same position share the work while `tip` is the newest one, whatever they filter; a
   * reader that is far behind reads by its own filter.
   */
  async after(position: Position, wanted: Needs, tip: Tip | undefined): Promise<Changes> {
    if (!tip || (wanted.scope && tip.height - position.height > NEAR_BLOCKS)) return await this.#read(position, wanted);
    const needs = { ...wanted, scope: undefined };
    const { rest } = position;
    const key = [
      ...[tip.seq, this.#generation, position.seq, position.pending, position.height, bareHex(position.indexHash)],
      ...[rest?.place, rest?.event, needs.transactions, needs.events, needs.mempool, needs.sbtc],
    ].join();
    const known = this.#kept.get(key);
    if (known) return await known;
    const reading = this.#read(position, needs);
    this.#kept.set(key, reading);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    reading.catch(() => this.#kept.delete(key));
    return await reading;
  }

  async #read(from: Position, needs: Needs): Promise<Changes> {
    const start = { ...from, returned: false };
    return await inSnapshot(this.#sql, async sql => {
      const standing = await findStanding(sql, start.height);
      const steps: Step[] = [];
      let position = await returnToChain(sql, start, standing, steps);
      if (needs.mempool) {
        position = await this.#mempoolSteps(sql, position, standing, steps);
        if (position.seq < standing.seq || position.pending > 0) return { steps, position, upTo: undefined };
      } else position = { ...position, seq: standing.seq, check: standing.check, pending: 0 };
      position = await this.#blockSteps(sql, position, standing, needs, steps);
      const whole = position.height === standing.height && position.rest === undefined;
      return { steps, position, upTo: whole ? standing.seq : undefined };
    });
  }

  /** Adds transactions that the mempool gained or lost, and returns the position after them. */
  async #mempoolSteps(sql: Sql, start: Position, standing: Standing, steps: Step[]): Promise<Position> {
    const check = await findCheck(sql, start.seq);
    if (start.seq > standing.seq || (check !== undefined && check !== start.check)) throw stepsGone();
    if (await areStepsGone(sql, start.seq)) throw stepsGone();
    const found = await listMempoolSteps(sql, start.seq, standing.seq, MAX_MEMPOOL_STEPS);
    let position = start;
    let left = MAX_PENDING;
    for (const step of found) {
      const ids = splitHashes(step.tx_ids);
      while (position.seq < step.seq && left > 0) {
        const part = ids.slice(position.pending, position.pending + left);
        left -= part.length;
        const sent = position.pending + part.length;
        position =
          sent < ids.length
            ? { ...position, pending: sent }
            : { ...position, seq: step.seq, check: step.check, pending: 0 };
        const transactions = part.length > 0 ? await pendingItems(sql, part) : [];
        if (transactions.length > 0) steps.push({ kind: 'mempool', position, items: { mempool: transactions } });
      }
      if (left === 0) return position;
    }
    // Later steps changed nothing in the mempool.
    if (found.length < MAX_MEMPOOL_STEPS) position = { ...position, seq: standing.seq, check: standing.check };
    return position;
  }

  /** Adds the next blocks of the chain, and returns the position after them. */
  async #blockSteps(sql: Sql, start: Position, standing: Standing, needs: Needs, steps: Step[]): Promise<Position> {
    const blocks = await this.#nextBlocks(sql, start, standing, needs);
    if (blocks.length === 0 || !(needs.transactions || needs.events)) return applyBare(start, blocks, steps);
    const heights = blocks.map(({ height }) => height);
    const { rest } = start;
    const first = rest ? { height: start.height, place: rest.place } : { height: heights[0]!, place: 0 };
    const listed = await listPlaces(sql, first, heights, MAX_TRANSACTIONS + 1);
    const { places, next } = cut(listed, rest?.event ?? 0);
    const range = { from: rest?.event ?? 0, limit: MAX_EVENTS };
    // A transaction whose rest is sent was itself sent before.
    const fresh = range.from > 0 ? places.slice(1) : places;
    const [summaries, events, bridged, parties] = [
      needs.transactions ? await listSummariesAt(sql, fresh) : [],
      needs.events ? await readEvents(sql, places, range) : [],
      needs.sbtc ? await listSbtcEvents(sql, heights) : [],
      needs.transactions ? await this.#partiesOf(sql, heights) : new Map<string, string[]>(),
    ];
    const summariesAt = byHeight(summaries);
    const eventsAt = byHeight(events);
    const bridgedAt = byHeight(bridged);
    let position = start;
    for (const block of blocks) {
      if (next && block.height > next.height) return position;
      const isCut = next?.height === block.height;
      if (isCut && next.place === 0 && next.event === 0) return position;
      position = {
        ...position,
        height: block.height,
        indexHash: block.index_hash,
        rest: isCut ? { place: next.place, event: next.event } : undefined,
      };
      const rows = eventsAt.get(block.height) ?? [];
      const transactions = (summariesAt.get(block.height) ?? []).map(row =>
        transactionItem(row, parties.get(`${row.height} ${row.place}`) ?? []),
      );
      steps.push({
        kind: 'apply',
        position,
        block: JSON.stringify(renderNakamotoBlock(block)),
        items: { transactions, ...eventItems(rows), sbtc: sbtcItems(bridgedAt.get(block.height) ?? [], rows) },
      });
    }
    return position;
  }

  /** The blocks to send next: that of which a part was sent, and the next ones that the scope can concern. */
  async #nextBlocks(sql: Sql, start: Position, standing: Standing, { scope }: Needs): Promise<BlockRow[]> {
    const above = start.rest ? start.height - 1 : start.height;
    if (!scope || standing.height - above <= NEAR_BLOCKS)
      return await listBlocksAbove(sql, above, standing.height, MAX_BLOCKS);
    const heights = await listHeights(sql, scope, { above, upTo: standing.height, limit: MAX_BLOCKS });
    // Without a further block that it concerns, the reader goes to the tip.
    if (heights.length < MAX_BLOCKS) heights.push(standing.height);
    return await listBlocksOf(sql, [...new Set([...(start.rest ? [start.height] : []), ...heights])]);
  }

  /** Of the principals that readers filter by, those that touched each transaction. */
  async #partiesOf(sql: Sql, heights: readonly number[]): Promise<Map<string, string[]>> {
    const names = [...this.#principals.keys()].map(principalToBytes);
    const parties = new Map<string, string[]>();
    for (let i = 0; i < names.length; i += PARTIES_AT_ONCE) {
      for (const { height, place, name } of await listParties(sql, names.slice(i, i + PARTIES_AT_ONCE), heights)) {
        const key = `${height} ${place}`;
        const known = parties.get(key);
        if (known) known.push(principalFromBytes(name));
        else parties.set(key, [principalFromBytes(name)]);
      }
    }
    return parties;
  }
}

/**
 * The position on the canonical chain: that of the reader, or after a rollback. The hash of a block tells whether it is canonical
 * still; the journal tells whether it was removed and added again, perhaps with other contents: an incomplete block that was healed.
 */
async function returnToChain(sql: Sql, start: Position, standing: Standing, steps: Step[]): Promise<Position> {
  if (start.height < 0) return start;
  const isKnown = (await findCheck(sql, start.seq)) === start.check;
  const lowest = (isKnown ? await findLowestRollback(sql, start.seq) : undefined) ?? start.height;
  const isCanonical = standing.index_hash_there?.equals(start.indexHash) ?? false;
  if (isCanonical && lowest >= start.height) return start;
  const chain = isCanonical
    ? [{ height: start.height, index_hash: start.indexHash, canonical: true }]
    : await listRemoved(sql, start.indexHash);
  const common = chain.at(-1);
  if (!common?.canonical) throw positionLost(start, standing.height);
  const removed = chain.filter(({ canonical }) => !canonical).map(({ index_hash }) => index_hash);
  let to: BlockReference = common;
  if (lowest < common.height) {
    removed.push(...(await listHashesBetween(sql, lowest, common.height)));
    const { index_hash_there } = await findStanding(sql, lowest);
    to = index_hash_there
      ? { height: lowest, index_hash: index_hash_there }
      : { height: -1, index_hash: Buffer.alloc(0) };
  }
  const position = { ...start, height: to.height, indexHash: to.index_hash, rest: undefined };
  const from = { height: start.height, index_hash: start.indexHash };
  steps.push({ kind: 'rollback', position: { ...position, returned: true }, from, removed });
  return position;
}

/** The blocks alone. */
function applyBare(start: Position, blocks: readonly BlockRow[], steps: Step[]): Position {
  let position = start;
  for (const block of blocks) {
    position = { ...position, height: block.height, indexHash: block.index_hash, rest: undefined };
    steps.push({ kind: 'apply', position, block: JSON.stringify(renderNakamotoBlock(block)), items: {} });
  }
  return position;
}

function byHeight<Row extends { height: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.height);
    if (group) group.push(row);
    else groups.set(row.height, [row]);
  }
  return groups;
}

type Cut = { places: ListedPlace[]; next: { height: number; place: number; event: number } | undefined };

/** The first transactions, as many as fit into one call, and where the rest begins. */
function cut(listed: readonly ListedPlace[], from: number): Cut {
  let events = 0;
  for (const [index, { height, place, event_count: count }] of listed.entries()) {
    const own = count - (index === 0 ? from : 0);
    if (index === MAX_TRANSACTIONS || (index > 0 && events + own > MAX_EVENTS))
      return { places: listed.slice(0, index), next: { height, place, event: 0 } };
    // A transaction with more events than fit is sent in parts of its own.
    if (own > MAX_EVENTS) return { places: listed.slice(0, 1), next: { height, place, event: from + MAX_EVENTS } };
    events += own;
  }
  return { places: [...listed], next: undefined };
}

/** The events of some transactions; of the first one only those in the range. */
async function readEvents(sql: Sql, places: readonly ListedPlace[], range: { from: number; limit: number }) {
  const [first, ...others] = places;
  if (!first) return [];
  if (range.from === 0) return await listEventsOf(sql, places, range);
  const rest = await listEventsOf(sql, [first], range);
  return others.length === 0 ? rest : [...rest, ...(await listEventsOf(sql, others, { from: 0, limit: range.limit }))];
}

function eventItems(rows: readonly EventRow[]): StreamItems {
  const present = (items: (StreamItem | undefined)[]) => items.filter(item => item !== undefined);
  return {
    events: rows.map(eventItem),
    transfers: present(rows.map(transferItem)),
    contract_logs: present(rows.map(logItem)),
  };
}

/** What happened to sBTC in the part of a block that has these events. */
function sbtcItems(bridged: readonly SbtcEventRow[], rows: readonly EventRow[]): StreamItem[] {
  if (bridged.length === 0) return [];
  const sent = new Set(rows.map(eventKey));
  return bridged.filter(row => sent.has(eventKey(row))).map(sbtcItem);
}

/** Transactions as the mempool has them now; one that was mined meanwhile as it was while it waited. */
async function pendingItems(sql: Sql, ids: Uint8Array[]): Promise<StreamItem[]> {
  const found = await findMempoolTransactions(sql, ids, undefined);
  const missing = ids.filter(id => !found.has(bareHex(id)));
  const mined = await findMinedArrivals(sql, missing, undefined);
  return ids.flatMap(id => {
    const row = found.get(bareHex(id)) ?? mined.get(bareHex(id));
    return row ? [pendingItem(row)] : [];
  });
}
