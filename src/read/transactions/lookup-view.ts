import type { Sql } from '../../db/client.ts';
import type { BlockBound } from '../../http/block-bound.ts';
import { renderEvent } from '../events/event-schema.ts';
import type { MempoolTransaction as PendingRow } from '../mempool/mempool-queries.ts';
import { type MempoolTransaction, renderMempoolTransaction } from '../mempool/mempool-transaction-schema.ts';
import type { ReadCaches } from '../read-caches.ts';
import type { EventRange, KnownTransaction } from './known-transaction-queries.ts';
import { findTransactions } from './lookup-queries.ts';
import { renderTransaction, type Transaction } from './transaction-schema.ts';

type LookupOptions = {
  events: EventRange;
  /** Also look in microblocks that no block has confirmed yet. */
  unanchored: boolean;
  excludeFunctionArgs: boolean | undefined;
  withState: boolean | undefined;
};

type AnyTransaction = Transaction | MempoolTransaction;

/** Mined and pending transactions by the hex of their ids (without 0x), each with the height of its canonical block. */
export async function findTransactionsById(
  caches: ReadCaches,
  sql: Sql,
  ids: Uint8Array[],
  options: LookupOptions,
): Promise<Map<string, BlockBound<AnyTransaction>>> {
  const { events, unanchored } = options;
  const found = await findTransactions(sql, ids, { events, unanchored, interfaces: caches.interfaces });
  return new Map(
    [...found].map(([id, known]) => {
      const height = 'transaction' in known && known.transaction.canonical ? known.transaction.height : undefined;
      return [id, { body: renderKnown(known, options), height }];
    }),
  );
}

function renderKnown(
  known: KnownTransaction | { waiting: PendingRow },
  { excludeFunctionArgs, withState }: LookupOptions,
): AnyTransaction {
  if ('waiting' in known) return renderMempoolTransaction(known.waiting, { excludeFunctionArgs, withState });
  return renderTransaction(known.transaction, {
    events: known.events.map(renderEvent),
    excludeFunctionArgs,
    withState,
  });
}
