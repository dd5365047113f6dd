import type { Block } from '../../chain/block.ts';
import { CodecError } from '../../codec/error.ts';
import { MessageError, UnknownFormatError } from '../../node/json.ts';
import {
  type BlockPlace,
  type MicroblockMessage,
  readBlock,
  readBlockPlace,
  readBurnBlock,
  readMicroblocks,
} from '../../node/messages.ts';
import { unknownInBlock, unknownInBurnBlock } from '../../node/unknown-items.ts';
import { genesisNamesPath, readGenesisNames } from '../load/genesis-names.ts';
import { knownPaths } from '../log/event-names.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import { readArrivals, readDrop } from '../mempool/messages.ts';
import { findTreeBlocks, type TreeBlock } from '../tree/block-tree.ts';
import { foldBurnAnnouncement } from '../tree/burn-announcement.ts';
import { burnSource } from '../tree/burn-source.ts';
import type { BurnView } from '../tree/burn-view.ts';
import { type BlockEvent, isFetched } from '../tree/fetched-block.ts';
import type { TreeKeeper } from '../tree/fork-choice.ts';
import { readAttachments } from './attachments.ts';
import type { FoldWriter } from './fold-writer.ts';
import { type FoldLog, ForeignChainError, type Step } from './step.ts';
import type { UnknownItems } from './unknown-items.ts';

const mostBytes = 24 << 20;

/** The message itself is at fault, or cannot have a place here: it is quarantined. */
export class Refusal extends Error {
  override name = 'Refusal';
}

export type RouterParts = {
  writer: FoldWriter;
  tree: TreeKeeper;
  burnView: BurnView;
  unknown: UnknownItems;
  log: FoldLog;
  /** Most blocks in one transaction. */
  batchBlocks: number;
};

/** The message agrees with itself and has its place, and this program cannot fold it: the fold halts. */
export class Unfoldable extends Error {
  override name = 'Unfoldable';
}

/**
 * Decides what each event means for the tables. Plain ones (a child of the tip, a repetition, the next burn block) gather
 * into one transaction; all others first write what has gathered and then go alone.
 */
export class Router {
  readonly #writer: FoldWriter;
  readonly #tree: TreeKeeper;
  readonly #burnView: BurnView;
  readonly #unknown: UnknownItems;
  readonly #log: FoldLog;
  readonly #batchBlocks: number;
  #steps: Step[] = [];
  #blocks = 0;
  #bytes = 0;
  /** Tip as it will be once the gathered steps are written. */
  #tip: { height: number; indexHash: Buffer };
  /** Blocks of the tree that the events of this batch name, and those gathered since. */
  #known = new Map<string, TreeBlock>();
  /** These are all there are. */
  #whole: boolean;
  /** The events that were prepared last. */
  #prepared: { event: LoggedEvent; message: unknown }[] = [];

  constructor({ writer, tree, burnView, unknown, log, batchBlocks }: RouterParts) {
    this.#writer = writer;
    this.#tree = tree;
    this.#burnView = burnView;
    this.#unknown = unknown;
    this.#log = log;
    this.#batchBlocks = batchBlocks;
    this.#tip = { height: writer.position.height, indexHash: writer.position.indexHash };
    this.#whole = writer.position.eventId === 0n;
  }

  /** Looks up, with one query, every block and parent that the coming events name. */
  async prepare(messages: { event: LoggedEvent; message: unknown }[]): Promise<void> {
    this.#prepared = messages;
    if (this.#whole) return;
    const hashes = new Map<string, Buffer>();
    for (const { event, message } of messages) {
      if (event.path !== '/new_block' || message instanceof MessageError) continue;
      const named = message as { index_block_hash?: unknown; parent_index_block_hash?: unknown };
      for (const value of [named?.index_block_hash, named?.parent_index_block_hash]) {
        if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(value)) continue;
        const hash = Buffer.from(value.slice(2), 'hex');
        if (!this.#known.has(hash.toString('hex'))) hashes.set(hash.toString('hex'), hash);
      }
    }
    // What the last write gathered is in the database by the time its successor is prepared, or still in this map.
    for (const block of await findTreeBlocks(this.#writer.sql, [...hashes.values()])) this.#remember(block);
  }

  /** Decides about one event; one of another chain is put aside. */
  async route(event: LoggedEvent, message: unknown): Promise<void> {
    try {
      await this.#route(event, message);
    } catch (error) {
      if (!(error instanceof ForeignChainError)) throw error;
      await this.quarantine(event, error.message);
    }
  }

  async #route(event: LoggedEvent, message: unknown): Promise<void> {
    switch (event.path) {
      case '/new_block':
        return await this.#block(event, message);
      case '/new_burn_block':
        return await this.#burnBlock(event, message);
      case '/new_microblocks':
        return await this.#microblocks(event, message);
      case '/new_mempool_tx':
        return await this.#beside(event, () => ({ kind: 'arrivals', event, arrivals: readArrivals(message) }));
      case '/drop_mempool_tx':
        return await this.#beside(event, () => ({ kind: 'drop', event, drop: readDrop(message) }));
      case '/attachments/new':
        return await this.#beside(event, () => ({ kind: 'attachments', event, ...readAttachments(message) }));
      case genesisNamesPath:
        return await this.#beside(event, () => ({ kind: 'genesis_names', event, part: readGenesisNames(message) }));
      default:
        if (!knownPaths.has(event.path)) this.#unknown.note(event.id, [{ kind: 'path', name: event.path }]);
        return await this.#gather({ kind: 'nothing', event });
    }
  }

  /** Steps over an event that cannot be read or placed, and raises an alarm. */
  async quarantine(event: LoggedEvent, reason: string): Promise<void> {
    await this.#gather({ kind: 'quarantine', event, reason });
  }

  /** Blocks that have gathered. */
  get blocks(): number {
    return this.#blocks;
  }

  /** Writes what has gathered. */
  async flush(): Promise<void> {
    await this.#unknown.save();
    if (this.#steps.length === 0) return;
    const steps = this.#steps;
    this.#steps = [];
    this.#blocks = 0;
    this.#bytes = 0;
    await this.#writer.write({ steps, burnSources: this.#burnView.takeMovedSources() });
  }

  async #gather(step: Step): Promise<void> {
    this.#steps.push(step);
    this.#bytes += step.event.body.length;
    if (step.kind === 'block') this.#blocks++;
    if (this.#blocks >= this.#batchBlocks || this.#bytes >= mostBytes || this.#steps.length >= 2_000)
      await this.flush();
  }

  async #block(event: LoggedEvent, message: unknown): Promise<void> {
    const place = reading(() => readBlockPlace(message));
    const known = this.#known.get(place.indexHash.toString('hex'));
    if (known) return await this.#knownBlock(event, message, place, known);
    const parent = this.#known.get(place.parentIndexHash.toString('hex'));
    const child = this.#tip.height >= 1 && place.parentIndexHash.equals(this.#tip.indexHash);
    const below = child ? this.#tip.height : parent?.height;
    if (below !== undefined && place.height !== below + 1) {
      throw new Refusal(`block height ${place.height} does not follow its parent's ${below}`);
    }
    if (child && !this.#tree.isAwaited(place.indexHash) && !this.#tree.rulesOut(place)) {
      const block = this.#decode(event, message, true);
      this.#tip = { height: place.height, indexHash: place.indexHash };
      this.#remember(treeBlock(event, place, false));
      return await this.#gather({ kind: 'block', event, block, place });
    }
    // Decoding now refuses a block that could not be applied later, when nobody would know which event it came from.
    const parentKnown = parent !== undefined && !parent.parked;
    if (place.height > 0 || !place.empty) {
      const block = this.#decode(event, message, parentKnown);
      reading(() => this.#writer.checkNames(block));
    }
    await this.#alone(event, place, parentKnown);
  }

  /** Only where a block has its place is it worth a halt that its bytes are of a kind this program does not know. */
  #decode(event: LoggedEvent, message: unknown, placed: boolean): Block {
    return reading(() => {
      try {
        const block = readBlock(message);
        this.#writer.checkNetwork(block);
        this.#unknown.note(event.id, unknownInBlock(message, block));
        return block;
      } catch (error) {
        if (placed && error instanceof UnknownFormatError) throw new Unfoldable(error.message, { cause: error });
        throw error;
      }
    });
  }

  /** A repetition; only a full block 0, or the event of a block that had to be fetched, says more than was known. */
  async #knownBlock(event: LoggedEvent, message: unknown, place: BlockPlace, known: TreeBlock): Promise<void> {
    if (place.height === 0 && known.empty && !place.empty) {
      this.#decode(event, message, true);
      await this.flush();
      await this.#tree.fillGenesis(event, place);
      this.#remember({ ...known, empty: false, eventId: event.id });
      this.#resync();
      return;
    }
    if (known.fetched && !isFetched({ event, place })) {
      const block = this.#decode(event, message, true);
      reading(() => this.#writer.checkNames(block));
      await this.flush();
      const others = this.#replacementsAfter(event);
      await this.#tree.replaceFetched(event, [{ event, place }, ...others]);
      this.#remember(treeBlock(event, place, known.parked));
      for (const { event, place } of others) this.#remember(treeBlock(event, place, false));
      this.#resync();
      return;
    }
    await this.#gather({ kind: 'nothing', event });
  }

  /**
   * Later events of this batch that also tell of fetched blocks: all are taken at once, since each makes the chain above its
   * block be folded anew. One that cannot be read is left for its turn.
   */
  #replacementsAfter({ id }: LoggedEvent): BlockEvent[] {
    return this.#prepared.flatMap(({ event, message }) => {
      if (event.id <= id || event.path !== '/new_block' || message instanceof MessageError) return [];
      try {
        const place = reading(() => readBlockPlace(message));
        const known = this.#known.get(place.indexHash.toString('hex'));
        if (!known?.fetched || known.parked || isFetched({ event, place })) return [];
        reading(() => this.#writer.checkNames(this.#decode(event, message, true)));
        return [{ event, place }];
      } catch (error) {
        if (error instanceof Refusal || error instanceof Unfoldable) return [];
        throw error;
      }
    });
  }

  async #alone(event: LoggedEvent, place: BlockPlace, parentKnown: boolean): Promise<void> {
    await this.flush();
    const parked = !parentKnown && !(await this.#tree.mayBeRoot(place));
    const freed = await this.#tree.addToTree(event, place, parked);
    this.#remember(treeBlock(event, place, parked));
    for (const block of freed) this.#remember({ ...block, parked: false });
    if (place.height === 0 && !place.empty) await this.#tree.settleGenesis();
    if (!parked) await this.#tree.settleTree();
    this.#resync();
  }

  /** The writer moved the tip on its own. */
  #resync(): void {
    const { height, indexHash } = this.#writer.position;
    this.#tip = { height, indexHash };
  }

  async #burnBlock(event: LoggedEvent, message: unknown): Promise<void> {
    const burn = reading(() => readBurnBlock(message));
    this.#unknown.note(event.id, unknownInBurnBlock(message));
    const node = this.#burnView.extend(burn, event.id, burnSource(event, burn));
    if (node) return await this.#gather({ kind: 'burn', event, burn, node });
    await this.flush();
    const parts = { writer: this.#writer, tree: this.#tree, burnView: this.#burnView, log: this.#log };
    await foldBurnAnnouncement(parts, event, burn);
    this.#resync();
  }

  /** A confirming block repeats everything a stream said, so one that cannot be read is no reason to stop. */
  async #microblocks(event: LoggedEvent, message: unknown): Promise<void> {
    let stream: MicroblockMessage;
    try {
      stream = readMicroblocks(message);
    } catch (error) {
      if (!(error instanceof MessageError)) throw error;
      return await this.quarantine(event, error.message);
    }
    // The hash of its block says which chain it is of: off the tip it moves nothing.
    const live = this.#tip.height >= 1 && stream.parentIndexHash.equals(this.#tip.indexHash);
    await this.#gather({ kind: 'microblocks', event, stream, live });
  }

  /** What cannot be read of the mempool or of zonefiles is no reason to stop: no block depends on it. */
  async #beside(event: LoggedEvent, read: () => Step): Promise<void> {
    let step: Step;
    try {
      step = read();
    } catch (error) {
      if (!(error instanceof MessageError)) throw error;
      return await this.quarantine(event, error.message);
    }
    await this.#gather(step);
  }

  #remember(block: TreeBlock): void {
    this.#known.set(block.indexHash.toString('hex'), block);
    // Beyond this the oldest are asked of the database again.
    if (this.#known.size > 20_000) {
      this.#whole = false;
      for (const key of this.#known.keys()) {
        this.#known.delete(key);
        if (this.#known.size <= 10_000) break;
      }
    }
  }
}

/** Reads a message; what is wrong with it is a refusal, as opposed to whatever goes wrong while writing. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const refused = error instanceof MessageError || error instanceof CodecError;
    throw refused ? new Refusal(error.message, { cause: error }) : error;
  }
}

const treeBlock = (event: LoggedEvent, place: BlockPlace, parked: boolean): TreeBlock => ({
  indexHash: place.indexHash,
  parent: place.parentIndexHash,
  eventId: event.id,
  height: place.height,
  parked,
  empty: place.empty,
  fetched: isFetched({ event, place }),
  burnHash: place.burnHash,
});
