import { type MempoolStatus, mempoolStatus } from '../../chain/mempool/mempool.ts';
import { Ages } from './ages.ts';

/** The content of a transaction with names replaced by keys; 0 where a party is missing. */
export type Content = {
  txId: Uint8Array;
  raw: Uint8Array;
  fee: bigint;
  nonce: bigint;
  sponsorNonce: bigint;
  amount: bigint;
  sender: number;
  sponsor: number;
  target: number;
  function: number;
  type: number;
};

/** How it arrived. */
export type Receipt = {
  /** 0 when only a block announced it. */
  eventId: bigint;
  receivedAt: number;
  receivedHeight: number;
  receivedTenure: number;
  /** Bit set of the sources that hold it. */
  holders: number;
};

/** The fields that the rules read; the others of a row are only written. */
export type Entry = Receipt & {
  /** The id as hex. */
  key: string;
  fee: bigint;
  nonce: bigint;
  sponsorNonce: bigint;
  sender: number;
  sponsor: number;
  type: number;
  status: MempoolStatus;
  droppedAt: number;
  droppedHeight: number;
  droppedTenure: number;
  /** Key of the one that took its place, '' for none. */
  replacedBy: string;
  reason: string;
  /** There until the row is written for the first time. */
  content?: Content | undefined;
};

/** Stored with the rows and updated with every change of them. */
export type Figures = { version: bigint; digest: bigint; pending: number; dropped: number; types: number[] };

const { pending, dropped, streamed } = mempoolStatus;

/** A new entry; the caller adds it. Written out: spread objects cost twenty times as much here. */
export function newEntry(key: string, content: Content, receipt: Receipt, status: MempoolStatus): Entry {
  return {
    key,
    fee: content.fee,
    nonce: content.nonce,
    sponsorNonce: content.sponsorNonce,
    sender: content.sender,
    sponsor: content.sponsor,
    type: content.type,
    status,
    eventId: receipt.eventId,
    receivedAt: receipt.receivedAt,
    receivedHeight: receipt.receivedHeight,
    receivedTenure: receipt.receivedTenure,
    holders: receipt.holders,
    droppedAt: 0,
    droppedHeight: 0,
    droppedTenure: 0,
    replacedBy: '',
    reason: '',
    content,
  };
}

/** The rows of the mempool in memory, indexed by every key that a rule needs. */
export class MempoolEntries {
  readonly figures: Figures;
  readonly #entries = new Map<string, Entry>();
  readonly #bySigner = new Map<string, Set<Entry>>();
  readonly #byTime = new Ages(600);
  readonly #byTenure = new Ages(1);
  readonly #byDrop = new Ages(1);
  readonly #streamed = new Set<Entry>();
  /** Keys changed since the last write, and whether they had a row then. */
  #changed = new Map<string, boolean>();
  /** Keys that arrived or changed their status since the last `takeAnnounced`, and whether they arrived as pending. */
  #announced = new Map<string, boolean>();

  constructor(figures: Figures, stored: Iterable<Entry> = []) {
    this.figures = figures;
    for (const entry of stored) {
      this.#entries.set(entry.key, entry);
      this.#enter(entry);
    }
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** Pending transactions that use a nonce of an account, as origin or as sponsor: at most one of them can be mined. */
  signedBy(account: number, nonce: bigint): Entry[] {
    return [...(this.#bySigner.get(`${account}:${nonce}`) ?? [])];
  }

  receivedBefore(time: number): Entry[] {
    return this.#byTime.below(time).map(key => this.#entries.get(key)!);
  }

  receivedBeforeTenure(tenure: number): Entry[] {
    return this.#byTenure.below(tenure).map(key => this.#entries.get(key)!);
  }

  droppedBeforeTenure(tenure: number): Entry[] {
    return this.#byDrop.below(tenure).map(key => this.#entries.get(key)!);
  }

  streamed(): Entry[] {
    return [...this.#streamed];
  }

  add(entry: Entry): void {
    this.touch(entry.key);
    this.#announced.set(entry.key, entry.status === pending);
    this.#entries.set(entry.key, entry);
    this.#enter(entry);
    this.#count(entry, 1);
    this.figures.version++;
  }

  remove(entry: Entry): void {
    this.touch(entry.key);
    this.#leave(entry);
    this.#entries.delete(entry.key);
    this.#count(entry, -1);
    this.figures.version++;
  }

  /** Changes the status and the figures that depend on it. */
  change(entry: Entry, values: Partial<Entry> & { status: MempoolStatus }): void {
    this.touch(entry.key);
    if (!this.#announced.has(entry.key)) this.#announced.set(entry.key, false);
    this.#leave(entry);
    this.#count(entry, -1);
    Object.assign(entry, values);
    this.#enter(entry);
    this.#count(entry, 1);
    this.figures.version++;
  }

  /** Marks a row for writing. */
  touch(key: string): void {
    if (!this.#changed.has(key)) this.#changed.set(key, this.#entries.has(key));
  }

  /** Changes since the last call. */
  takeChanges(): { entry: Entry | undefined; key: string; stored: boolean }[] {
    const changed = this.#changed;
    this.#changed = new Map();
    return [...changed].map(([key, stored]) => ({ key, stored, entry: this.#entries.get(key) }));
  }

  /** Keys that became pending or dropped since the last call, and those that were pending in between. */
  takeAnnounced(): string[] {
    const announced = this.#announced;
    this.#announced = new Map();
    return [...announced].flatMap(([key, came]) => {
      const entry = this.#entries.get(key);
      return (entry ? entry.status !== streamed : came) ? [key] : [];
    });
  }

  #enter(entry: Entry): void {
    if (entry.status === dropped) this.#byDrop.add(entry.key, entry.droppedTenure);
    if (entry.status === streamed) this.#streamed.add(entry);
    if (entry.status !== pending) return;
    this.#byTime.add(entry.key, entry.receivedAt);
    this.#byTenure.add(entry.key, entry.receivedTenure);
    for (const signer of signersOf(entry)) {
      const set = this.#bySigner.get(signer);
      if (set) set.add(entry);
      else this.#bySigner.set(signer, new Set([entry]));
    }
  }

  #leave(entry: Entry): void {
    if (entry.status === dropped) this.#byDrop.delete(entry.key, entry.droppedTenure);
    if (entry.status === streamed) this.#streamed.delete(entry);
    if (entry.status !== pending) return;
    this.#byTime.delete(entry.key, entry.receivedAt);
    this.#byTenure.delete(entry.key, entry.receivedTenure);
    for (const signer of signersOf(entry)) {
      const set = this.#bySigner.get(signer);
      set?.delete(entry);
      if (set?.size === 0) this.#bySigner.delete(signer);
    }
  }

  #count({ status, type, key }: Entry, sign: 1 | -1): void {
    const { figures } = this;
    if (status === dropped) figures.dropped += sign;
    if (status !== pending) return;
    figures.pending += sign;
    while (figures.types.length <= type) figures.types.push(0);
    figures.types[type] = figures.types[type]! + sign;
    figures.digest ^= BigInt.asIntN(64, BigInt(`0x${key.slice(0, 16)}`));
  }
}

function signersOf({ sender, nonce, sponsor, sponsorNonce }: Entry): string[] {
  const origin = `${sender}:${nonce}`;
  return sponsor === 0 ? [origin] : [origin, `${sponsor}:${sponsorNonce}`];
}
