import { dropReasons, expiry, mempoolStatus, silentSeconds } from '../../chain/mempool/mempool.ts';
import { type Content, type Entry, type MempoolEntries, newEntry, type Receipt } from './entries.ts';

/** Tip of the chain as the mempool sees it. */
export type MempoolTip = { height: number; tenure: number };

/** When a message arrived, and from which source. */
export type Origin = { eventId: bigint; at: number; bit: number };

/** A mined transaction as far as it matters here. */
export type Mined = {
  key: string;
  nonce: bigint;
  sponsorNonce: bigint;
  sender: number;
  sponsor: number;
};

/** A dropped transaction is removed after this many tenures, about a week. */
const droppedForTenures = 1_008;

const { pending, dropped, streamed } = mempoolStatus;

/**
 * The rules of the mempool. Its state is a function of the events in their order, however they are cut into transactions:
 *
 * - **Arrival** from a source: ignored when a canonical block has it. Unknown or dropped: it becomes pending, received now,
 *   held by that source. Pending: the source holds it too. Others that use the same nonce of the same account, offer less
 *   and are held by the source are held by it no longer (a node keeps one transaction for each nonce).
 * - **Drop** by a source: the source, every source silent for an hour, and every source that is not a node no longer hold it. A
 *   transaction that no source holds is dropped with the last reason. Ids that are not pending are ignored.
 * - **Microblocks** on the tip: their transactions leave the pending ones until the tip changes.
 * - **Block**: transactions of microblocks are pending again; mined ones are removed; others with a nonce that the block used
 *   are dropped as replaced by the mined one; then expired ones are dropped: received more than 256 tenures before a block
 *   without a time of its own, or 153,600 seconds of log time before the event of a block that has one; then those that were
 *   dropped more than 1,008 tenures ago are removed.
 * - **Rollback**: transactions of microblocks, and every signed transaction of the removed blocks, are pending again as they had
 *   arrived, held by the sources that held them when they were mined. One that was dropped by then is not held by a node; one
 *   that never arrived counts as received with its block. Transactions that those blocks had dropped stay dropped.
 */
export class Mempool {
  readonly entries: MempoolEntries;
  /** Log time of the last mempool message, by bit of its source. */
  readonly heardAt: number[];
  tip: MempoolTip;

  constructor(entries: MempoolEntries, heardAt: number[], tip: MempoolTip) {
    this.entries = entries;
    this.heardAt = heardAt;
    this.tip = tip;
  }

  hear({ bit, at }: Origin): void {
    while (this.heardAt.length <= bit) this.heardAt.push(0);
    this.heardAt[bit] = Math.max(this.heardAt[bit]!, at);
  }

  /** `content` is needed where the transaction is not pending. */
  arrive(key: string, origin: Origin, content: () => Content): void {
    const holder = 1 << origin.bit;
    const known = this.entries.get(key);
    let entry = known;
    if (!known || known.status === dropped) {
      if (known) this.entries.remove(known);
      entry = newEntry(key, content(), this.#receipt(origin), pending);
      this.entries.add(entry);
    } else if ((known.holders & holder) === 0) {
      // A transaction that only this service announced is shown as not reported by a node.
      if (known.holders === 1) this.entries.figures.version++;
      known.holders |= holder;
      this.entries.touch(key);
    }
    if (entry!.status === pending) this.#outbid(entry!, origin);
  }

  drop(key: string, origin: Origin, reason: string, replacedBy: string): void {
    const entry = this.entries.get(key);
    if (entry?.status === pending) this.#letGo(entry, origin, reason, replacedBy);
  }

  /** A transaction of a microblock on the tip. */
  stream(key: string, origin: Origin, content: () => Content): void {
    const known = this.entries.get(key);
    if (known?.status === pending) this.entries.change(known, { status: streamed });
    if (known && known.status !== dropped) return;
    if (known) this.entries.remove(known);
    this.entries.add(newEntry(key, content(), { ...this.#receipt(origin), eventId: 0n, holders: 1 }, streamed));
  }

  /** Returns how the mined ones had arrived, for those that had. */
  block(
    tip: MempoolTip,
    time: { block: number; log: number },
    transactions: readonly Mined[],
  ): { key: string; entry: Entry }[] {
    this.tip = tip;
    this.releaseStreamed();
    const receipts: { key: string; entry: Entry }[] = [];
    for (const mined of transactions) {
      const entry = this.entries.get(mined.key);
      if (entry) {
        this.entries.remove(entry);
        // A source that had dropped it no longer holds it: if its block is orphaned, no source holds it.
        if (entry.status === dropped) entry.holders = 1;
        if (entry.eventId > 0n) receipts.push({ key: mined.key, entry });
      }
      const rivals = this.entries.signedBy(mined.sender, mined.nonce);
      if (mined.sponsor !== 0) rivals.push(...this.entries.signedBy(mined.sponsor, mined.sponsorNonce));
      for (const rival of rivals) {
        if (rival.status === pending) this.#close(rival, time.log, dropReasons.replaceByFee, mined.key);
      }
    }
    const old =
      time.block > 0
        ? this.entries.receivedBefore(time.log - expiry.seconds)
        : // A transaction that arrived before the first block has no tenure to count from.
          this.entries.receivedBeforeTenure(tip.tenure - expiry.tenures).filter(entry => entry.receivedTenure >= 0);
    for (const entry of old) this.#close(entry, time.log, dropReasons.stale, '');
    for (const entry of this.entries.droppedBeforeTenure(tip.tenure - droppedForTenures)) this.entries.remove(entry);
    return receipts;
  }

  /** A transaction of a block that falls. */
  orphan(key: string, content: Content, receipt: Receipt): void {
    const known = this.entries.get(key);
    if (known) this.entries.remove(known);
    this.entries.add(newEntry(key, content, receipt, pending));
  }

  releaseStreamed(): void {
    for (const entry of this.entries.streamed()) this.entries.change(entry, { status: pending });
  }

  #receipt({ eventId, at, bit }: Origin): Receipt {
    const { height, tenure } = this.tip;
    return { eventId, receivedAt: at, receivedHeight: height, receivedTenure: tenure, holders: 1 << bit };
  }

  /** A node keeps one transaction for each nonce of an account: the one that pays more. */
  #outbid(entry: Entry, origin: Origin): void {
    const rivals = this.entries.signedBy(entry.sender, entry.nonce);
    if (entry.sponsor !== 0) rivals.push(...this.entries.signedBy(entry.sponsor, entry.sponsorNonce));
    if (rivals.length === 1) return;
    for (const rival of rivals) {
      if (rival === entry || rival.status !== pending || rival.fee >= entry.fee) continue;
      if ((rival.holders & (1 << origin.bit)) === 0) continue;
      this.#letGo(rival, origin, dropReasons.replaceByFee, entry.key);
    }
  }

  #letGo(entry: Entry, origin: Origin, reason: string, replacedBy: string): void {
    const held = entry.holders & this.#speaking(origin.at) & ~(1 << origin.bit) & ~1;
    if (held === 0) this.#close(entry, origin.at, reason, replacedBy);
    else if (held !== entry.holders) {
      entry.holders = held;
      this.entries.touch(entry.key);
    }
  }

  /** Sources that have spoken of their mempool within the hour. */
  #speaking(at: number): number {
    return this.heardAt.reduce((set, heard, bit) => (at - heard <= silentSeconds ? set | (1 << bit) : set), 0);
  }

  #close(entry: Entry, at: number, reason: string, replacedBy: string): void {
    this.entries.change(entry, {
      ...{ status: dropped, reason, replacedBy },
      ...{ droppedAt: at, droppedHeight: this.tip.height, droppedTenure: this.tip.tenure },
    });
  }
}
