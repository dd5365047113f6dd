import type { ApiResponse } from './api-client.ts';
import { type Difference, differencesOf, isObject } from './difference.ts';
import { findKnownDifference, WITHOUT_ORDER } from './known-difference.ts';
import type { Query } from './query.ts';

/** The result of comparing two responses to one query. */
export type Result =
  | { verdict: 'same' }
  /** Only documented differences; their reasons. */
  | { verdict: 'known'; reasons: string[] }
  | { verdict: 'different'; differences: Difference[]; reasons: string[] }
  /** The other API lacks the route, or has disabled it. */
  | { verdict: 'not offered there' };

/** Fields that depend on the mempool or the clock. */
const MOVING =
  /(^|\.)(mempool|next_nonce|last_mempool_tx_nonce|possible_next_nonce|detected_missing_nonces|detected_mempool_nonces|estimated_balance|pending_balance_inbound|pending_balance_outbound|projected_time(_iso)?)$/;

/** These fields, and fields that change with the tip. */
const FOLLOWING_THE_TIP = new RegExp(`${MOVING.source}|(^|\\.)burnchain_lock_height$`);

/** Compares the response of this API with that of the other. */
export function judge(query: Query, here: ApiResponse, there: ApiResponse, { sameTip = true } = {}): Result {
  if (isMissing(there)) return isMissing(here) ? { verdict: 'same' } : { verdict: 'not offered there' };
  if (here.status !== there.status) {
    const differences = [{ field: 'status code', here: here.status, there: there.status }];
    return sortOut(query, differences, { here: here.body, there: there.body });
  }
  const ignore = query.pinned ? undefined : sameTip ? MOVING : FOLLOWING_THE_TIP;
  const differences = differencesOf(here.body, there.body, { ignore });
  if (differences.length === 0) return { verdict: 'same' };
  const orderOnly = differencesOf(here.body, there.body, { ignore, unordered: true }).length === 0;
  const noOrder = orderOnly && WITHOUT_ORDER.find(({ routes }) => routes.test(query.route))?.reason;
  if (noOrder) return { verdict: 'known', reasons: [noOrder] };
  return sortOut(query, differences, { here: here.body, there: there.body });
}

/** Separates documented differences from unexplained differences. */
function sortOut(query: Query, found: Difference[], bodies: { here: unknown; there: unknown }): Result {
  const explained = found.map(difference => ({
    difference,
    reason: findKnownDifference(query.route, difference, bodies),
  }));
  const reasons = [...new Set(explained.flatMap(({ reason }) => (reason === undefined ? [] : [reason])))];
  const differences = explained.flatMap(({ difference, reason }) => (reason === undefined ? [difference] : []));
  return differences.length > 0 ? { verdict: 'different', differences, reasons } : { verdict: 'known', reasons };
}

/** True for an unknown route or a disabled deprecated one. */
function isMissing({ status, body }: ApiResponse): boolean {
  if (status === 410) return true;
  return status === 404 && isObject(body) && /^Route \w+:.* not found$/.test(String(body.message));
}
