import { inSnapshot } from '../../db/pool/snapshot.ts';
import { RosettaSearchAnswer, RosettaSearchRequest } from '../../schemas/rosetta/search.ts';
import type { RosettaContext } from '../context.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';
import { blockOf, searchTransactions } from '../search.ts';

const USUAL = 20;
const MOST = 100;

export function searchRoute({ sql, ...options }: RosettaContext): RosettaRoute {
  return rosettaRoute({
    path: '/search/transactions',
    operationId: 'rosetta_search_transactions',
    summary: 'Transactions by account, by type, or by id, newest first',
    description:
      'An account finds what it signed, paid for, was called by, or moved STX in. Conditions that no index can answer are ' +
      'refused with what to change.',
    cost: 5,
    request: RosettaSearchRequest,
    response: RosettaSearchAnswer,
    async handler({ offset = 0, limit = USUAL, ...search }) {
      const page = { offset, limit: Math.min(limit, MOST) };
      const { total, rows, transactions } = await inSnapshot(sql, sql =>
        searchTransactions(sql, search, page, options),
      );
      const next = offset + rows.length;
      return {
        transactions: transactions.map((transaction, i) => ({ block_identifier: blockOf(rows[i]!), transaction })),
        total_count: total,
        ...(rows.length > 0 && next < total && { next_offset: next }),
      };
    },
  });
}
