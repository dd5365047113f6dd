import type { EventRow } from '../events/events-queries.ts';
import type { Transaction } from './transactions-queries.ts';

/** Which events of a transaction to read: `limit` of them, from the index `offset` on. */
export type EventRange = { offset: number; limit: number };

/** A transaction of a block, with some of its events. */
export type KnownTransaction = { transaction: Transaction; events: EventRow[] };
