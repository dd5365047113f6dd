import type { Transaction } from '../read/transactions/transactions-queries.ts';

/** How many events one response shows. */
export type Bounds = {
  /** Of one transaction: the rest is shown by further parts. */
  ofPart: number;
  /** Of one block, each transaction counted as one more: the rest is named by `other_transactions`. */
  ofBlock: number;
};

export const usualBounds: Bounds = { ofPart: 5_000, ofBlock: 10_000 };

/** What one response shows of a transaction: the events from `first` to `last`. Nearly every transaction has one part. */
export type Part = { number: number; count: number; first: number; last: number };

const LAST_EVENT = 2_147_483_647;

/** All events of a transaction, as the incumbent shows it. */
export const wholeTransaction: Part = { number: 1, count: 1, first: 0, last: LAST_EVENT };

type Counted = Pick<Transaction, 'tx_id' | 'event_count'>;

/** A part of a transaction by its number, from 1 on; undefined where the transaction has fewer. */
export function partOf({ event_count }: Pick<Counted, 'event_count'>, number: number, { ofPart }: Bounds) {
  const count = Math.max(1, Math.ceil(event_count / ofPart));
  if (number > count) return undefined;
  const last = number === count ? LAST_EVENT : number * ofPart - 1;
  return { number, count, first: (number - 1) * ofPart, last } satisfies Part;
}

/** The first part of a transaction. */
export const firstPart = (row: Pick<Counted, 'event_count'>, bounds: Bounds): Part => partOf(row, 1, bounds)!;

/** The part that shows an event. */
export const partWith = (row: Pick<Counted, 'event_count'>, eventIndex: number, bounds: Bounds): Part | undefined =>
  partOf(row, Math.floor(eventIndex / bounds.ofPart) + 1, bounds);

/** The identifier of a part: the id of the transaction, for further parts with their number behind it. */
export const partIdentifier = (hash: string, number: number): string => (number === 1 ? hash : `${hash}-${number}`);

/** The id of the transaction and the number of the part in an identifier. */
export function readPartIdentifier(text: string): { hash: string; number: number } {
  const [, hash, number] = /^([^-]*)-([1-9][0-9]{0,8})$/.exec(text) ?? [];
  return hash === undefined || Number(number) < 2 ? { hash: text, number: 1 } : { hash, number: Number(number) };
}

/** The transactions of a block that one response shows, and the identifiers of all other parts, both in order. */
export function planBlock<Row extends Counted>(
  rows: readonly Row[],
  bounds: Bounds,
): { shown: Row[]; others: string[] } {
  const shown: Row[] = [];
  const others: string[] = [];
  let events = 0;
  for (const row of rows) {
    const { count } = firstPart(row, bounds);
    events += 1 + Math.min(row.event_count, bounds.ofPart);
    const fits = others.length === 0 && events <= bounds.ofBlock;
    if (fits || shown.length === 0) shown.push(row);
    const hash = `0x${row.tx_id.toString('hex')}`;
    for (let number = fits || shown.at(-1) === row ? 2 : 1; number <= count; number++) {
      others.push(partIdentifier(hash, number));
    }
  }
  return { shown, others };
}
