import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { RosettaContext } from '../context.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';
import { RosettaSearchRequest, RosettaSearchResponse } from '../schemas/search.ts';
import { blocksOf, searchTransactions } from '../search.ts';

const DEFAULT_LIMIT = 20;
const MOST = 100;

export function searchRoute(options: RosettaContext): RosettaRoute {
  return rosettaRoute({
    path: '/search/transactions',
    operationId: 'rosetta_search_transactions',
    summary: 'Search transactions',
    description:
      'Finds confirmed transactions by account, by type or by id, newest first. An account matches the transactions ' +
      'that it signed or sponsored, that called it, or that moved its STX. Conditions without an index are rejected ' +
      'with error 609, whose `details.message` says what to change. `limit` is 20 by default and at most 100.',
    cost: 5,
    request: RosettaSearchRequest,
    response: RosettaSearchResponse,
    async handler({ offset = 0, limit = DEFAULT_LIMIT, ...search }, sql) {
      const page = { offset, limit: Math.min(limit, MOST) };
      const { total, rows, transactions, identifiers } = await inSnapshot(sql, async sql => {
        const found = await searchTransactions(sql, search, page, options);
        return { ...found, identifiers: await blocksOf(sql, found.rows, options) };
      });
      const next = offset + rows.length;
      return {
        transactions: transactions.map((transaction, i) => ({ block_identifier: identifiers[i]!, transaction })),
        total_count: total,
        ...(rows.length > 0 && next < total && { next_offset: next }),
      };
    },
  });
}
