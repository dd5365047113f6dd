import { arrayLiteral, type Pool } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';
import { parseMessage } from '../../node/json.ts';
import { type BlockPlace, readBlock } from '../../node/messages.ts';
import type { FoldWriter } from '../fold/fold-writer.ts';
import type { Position } from '../fold/position.ts';
import { BranchError, type FoldLog, type Step } from '../fold/step.ts';
import { eventById, type LoggedEvent } from '../log/event-reader.ts';
import { hasGenesis, highestAbove, missingParents, pathTo, type TreeBlock, waitingFor } from './block-tree.ts';
import type { BurnSwitch, BurnView } from './burn-view.ts';
import type { BlockEvent } from './fetched-block.ts';
import { RuledOutBlocks } from './ruled-out-blocks.ts';

/** Blocks applied in one transaction when a branch of many is caught up without a rollback. */
const catchUpBlocks = 50;
/** Blocks applied in one transaction when a chain is folded anew from an old block on. */
const refoldedBlocks = 1_000;

/** What goes into the transaction that begins a refold: the step of its event, statements, and events not in the tree yet. */
type Refold = { own: Step; before: (flush: Flush) => void; replacements: ReadonlyMap<string, bigint> };

/** Keeps the tree of all blocks and moves the tables to its best one, through the writer. */
export class TreeKeeper {
  readonly #writer: FoldWriter;
  readonly #log: FoldLog;
  readonly #sql: Pool;
  readonly #position: Position;
  readonly #ruledOut: RuledOutBlocks;
  readonly #awaited = new Set<string>();

  private constructor(writer: FoldWriter, ruledOut: RuledOutBlocks, log: FoldLog) {
    this.#writer = writer;
    this.#ruledOut = ruledOut;
    this.#log = log;
    this.#sql = writer.sql;
    this.#position = writer.position;
  }

  static async open(writer: FoldWriter, burnView: BurnView, log: FoldLog): Promise<TreeKeeper> {
    const keeper = new TreeKeeper(writer, await RuledOutBlocks.load(writer.sql, burnView), log);
    for (const hash of await missingParents(writer.sql)) keeper.#awaited.add(hash.toString('hex'));
    return keeper;
  }

  /** True when a parked block waits for this one. */
  isAwaited(hash: Buffer): boolean {
    return this.#awaited.has(hash.toString('hex'));
  }

  /** True when a burn block that was replaced keeps this block from the canonical chain. */
  rulesOut(place: BlockPlace): boolean {
    return this.#ruledOut.rulesOut(place);
  }

  /** Heights 0 and 1 need no parent; another block may be the first one only where an empty block 0 is all there is. */
  async mayBeRoot(place: BlockPlace): Promise<boolean> {
    if (place.height <= 1) return true;
    if (this.#position.height >= 0) return false;
    const known = await this.#sql`select 1 from block_tree where height = 0 and empty limit 1`;
    return known.length > 0 && !(await hasGenesis(this.#sql));
  }

  /** Puts a block that is no plain child of the tip into the tree and frees the blocks that waited for it. */
  async addToTree(event: LoggedEvent, place: BlockPlace, parked: boolean): Promise<TreeBlock[]> {
    await this.#writer.settled();
    const freed = parked ? [] : await waitingFor(this.#sql, place.indexHash, place.height);
    const [ruledOut] = parked ? [] : this.#ruledOut.add([place]);
    const freedRuledOut = this.#ruledOut.add(freed.map(block => ({ ...block, parentIndexHash: block.parent })));
    // Any other one is applied next.
    const loses = place.height <= this.#position.height || ruledOut !== undefined;
    const side = !parked && freed.length === 0 && place.height > 0 && loses;
    await this.#writer.write({
      steps: [{ kind: 'tree', event, place, parked, side, ruledOut: ruledOut !== undefined }],
      before: flush => {
        if (freed.length === 0) return;
        flush.query(
          `update block_tree set parked = false, ruled_out = index_hash = any ($2::bytea[])
           where index_hash = any ($1::bytea[])`,
          [freed, freedRuledOut].map(blocks => arrayLiteral(blocks.map(b => b.indexHash))),
        );
      },
      rootMidChain: !parked && place.height > 1 && this.#position.height < 0,
    });
    await this.#writer.settled();
    if (parked) {
      this.#awaited.add(place.parentIndexHash.toString('hex'));
      this.#log.warn(
        { height: place.height, block: hex(place.indexHash), parent: hex(place.parentIndexHash) },
        'a block waits for its parent',
      );
    } else {
      this.#awaited.delete(place.indexHash.toString('hex'));
      for (const block of freed) this.#awaited.delete(block.indexHash.toString('hex'));
    }
    return freed;
  }

  /** Moves the tables to the best block of the tree, over a fork where need be. */
  async settleTree(): Promise<void> {
    await this.#writer.settled();
    let moved = false;
    for (let best = await this.#best(); best; best = await this.#best()) {
      moved = true;
      const { forkHeight, branch } = await pathTo(this.#sql, best.indexHash);
      if (this.#position.height < 1 || forkHeight === this.#position.height) {
        await this.#applyBranch(branch.slice(0, catchUpBlocks));
      } else {
        this.#log.info(
          { from: this.#position.height, fork: forkHeight, to: best.height },
          'another branch is canonical now: rolling back to the fork',
        );
        await this.#applyBranch(branch, forkHeight);
      }
    }
    // A block that is the tip again may have a stream from the last time.
    if (moved) await this.#writer.findStream();
  }

  /**
   * The block that the tables should be moved to: the highest one that is not ruled out, and the tip keeps its place in a tie.
   * Where every block would be ruled out, the rule of Bitcoin is left aside and height alone decides.
   */
  async #best(): Promise<TreeBlock | undefined> {
    const { height, indexHash } = this.#position;
    if (!this.#ruledOut.has(indexHash)) return await highestAbove(this.#sql, height);
    return (await highestAbove(this.#sql, 0)) ?? (await highestAbove(this.#sql, height, true));
  }

  /** Follows a switch to another Bitcoin branch: which blocks are ruled out by it, and which no longer. */
  async followBurnSwitch({ branch, replaced }: BurnSwitch): Promise<(flush: Flush) => void> {
    return await this.#ruledOut.judgeAgain([...branch, ...replaced].map(({ hash }) => hash));
  }

  /** Applies blocks that the log has; with `rollback`, readers see the old branch until the new one is complete. */
  async #applyBranch(branch: TreeBlock[], rollback?: number): Promise<void> {
    await this.#applyEvents(
      branch.map(({ eventId }) => eventId),
      rollback,
    );
  }

  async #applyEvents(eventIds: readonly bigint[], rollback?: number, also?: Refold): Promise<void> {
    try {
      const steps = await branchSteps(this.#sql, eventIds);
      if (also) steps.push(also.own);
      await this.#writer.write({
        steps,
        ...(rollback !== undefined && { rollback }),
        ...(also && { before: also.before }),
      });
      await this.#writer.settled();
    } catch (error) {
      throw new BranchError(eventIds, rollback, error);
    }
  }

  /** Gives up the block of an event, as told: it and what stands on it never wins. */
  async giveUp(eventId: bigint): Promise<void> {
    await this.#sql`
      with recursive lost as (
        select t.index_hash, t.height from block_tree t where t.event_id = ${String(eventId)}::bigint
        union all
        select t.index_hash, t.height
        from lost l
        join block_tree t on t.parent = l.index_hash and t.height = l.height + 1
      )
      update block_tree t set parked = true from lost l where t.index_hash = l.index_hash
    `;
  }

  /** A full block 0 came after an empty one and takes its place in the tree. */
  async fillGenesis(event: LoggedEvent, place: BlockPlace): Promise<void> {
    const before = (flush: Flush) =>
      flush.query(`update block_tree set event_id = $1::bigint, empty = false where index_hash = decode($2, 'hex')`, [
        event.id,
        place.indexHash.toString('hex'),
      ]);
    await this.#writer.write({ steps: [{ kind: 'nothing', event }], before });
    await this.settleGenesis();
  }

  /**
   * The events of blocks that were asked of a node have come after all. They tell more, so from the lowest of these blocks on
   * the chain is folded anew, in the same transaction where it is short.
   */
  async replaceFetched(event: LoggedEvent, replaced: readonly BlockEvent[]): Promise<void> {
    await this.#writer.settled();
    const before = (flush: Flush) => {
      for (const { event, place } of replaced) {
        flush.query(
          `update block_tree set event_id = $1::bigint, fetched = false, unknown = '' where index_hash = decode($2, 'hex')`,
          [event.id, place.indexHash.toString('hex')],
        );
      }
    };
    const hashes = replaced.map(({ place }) => place.indexHash);
    const [lowest] = await this.#sql<{ height: number | null }[]>`
      select min(b.height) as height
      from unnest(${hashes.map(h => h.toString('hex'))}::text[]) as u (hex)
      join blocks b on b.index_hash = decode(u.hex, 'hex')
    `;
    const own: Step = { kind: 'nothing', event };
    if (lowest?.height === null || lowest === undefined) {
      await this.#writer.write({ steps: [own], before });
      return;
    }
    const [pruned] = await this.#sql<{ height: number }[]>`
      select b.height
      from blocks b
      join block_tree t on t.index_hash = b.index_hash
      where b.height >= ${lowest.height}
        and encode(b.index_hash, 'hex') <> all (${hashes.map(h => h.toString('hex'))}::text[])
        and not exists (select 1 from event_log e where e.id = t.event_id)
      limit 1
    `;
    if (pruned) {
      this.#log.warn(
        { height: lowest.height, pruned: pruned.height },
        'the event of a fetched block came after events above it were pruned: the block stays incomplete',
      );
      await this.#writer.write({ steps: [own] });
      return;
    }
    const replacements = new Map(replaced.map(({ event, place }) => [place.indexHash.toString('hex'), event.id]));
    await this.#refold(lowest.height - 1, { own, before, replacements });
  }

  /**
   * Applies the canonical blocks above a height once more, the first ones together with the rollback: up to so many blocks,
   * readers see the old rows until the new ones are complete.
   */
  async #refold(height: number, first?: Refold): Promise<void> {
    const chain = await this.#sql<{ index_hash: Buffer; event_id: bigint }[]>`
      select b.index_hash, t.event_id
      from blocks b
      join block_tree t on t.index_hash = b.index_hash
      where b.height > ${height}
      order by b.height
    `;
    const eventIds = chain.map(b => first?.replacements.get(b.index_hash.toString('hex')) ?? b.event_id);
    for (let done = 0; done < eventIds.length; done += refoldedBlocks) {
      const part = eventIds.slice(done, done + refoldedBlocks);
      if (done === 0) await this.#applyEvents(part, height, first);
      else await this.#applyEvents(part);
    }
    await this.#writer.findStream();
  }

  /** What block 0 says is shown with block 1: a short chain that was folded before it came is folded anew. */
  async settleGenesis(): Promise<void> {
    await this.#writer.settled();
    const [missed] = await this.#sql<{ event_id: bigint }[]>`
      select t.event_id
      from blocks b
      join block_tree t on t.index_hash = b.parent_index_hash
      where b.height = 1 and t.height = 0 and not t.empty
        and not exists (select 1 from transaction_extras e where e.height = 1 and e.name = 'genesis')
    `;
    if (!missed) return;
    if (this.#position.height > refoldedBlocks) {
      this.#log.warn({ event: String(missed.event_id) }, 'block 0 came late: run a rebuild to count what it says');
      return;
    }
    await this.#refold(0);
  }
}

/** The blocks of events, ready to be applied. */
export async function branchSteps(sql: Pool, eventIds: readonly bigint[]): Promise<Step[]> {
  const steps: Step[] = [];
  for (const id of eventIds) {
    const event = await eventById(sql, id);
    if (!event) throw new Error(`event ${id} is not in the log`);
    steps.push({ kind: 'block', event, block: readBlock(parseMessage(event.body)) });
  }
  return steps;
}

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
