import type { ApiResponse } from './api-client.ts';
import { departureOf, WITHOUT_ORDER } from './departure.ts';
import { type Difference, differencesOf, isObject } from './difference.ts';
import type { Query } from './query.ts';

/** What two answers to one query say about each other. */
export type Judgement =
  | { verdict: 'same' }
  /** Only departures that are documented; their reasons. */
  | { verdict: 'known'; reasons: string[] }
  | { verdict: 'different'; differences: Difference[]; reasons: string[] }
  /** The other API does not have the route, or has it turned off. */
  | { verdict: 'not offered there' };

/** Fields that follow the mempool or the clock. */
const MOVING =
  /(^|\.)(mempool|next_nonce|last_mempool_tx_nonce|possible_next_nonce|detected_missing_nonces|detected_mempool_nonces|estimated_balance|pending_balance_inbound|pending_balance_outbound|projected_time(_iso)?)$/;

/** The same, and fields that follow the tip although nothing happened. */
const FOLLOWING_THE_TIP = new RegExp(`${MOVING.source}|(^|\\.)burnchain_lock_height$`);

/** Compares the answer of this API with that of the other. */
export function judge(query: Query, here: ApiResponse, there: ApiResponse, { sameTip = true } = {}): Judgement {
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

/** Departures apart from differences that nothing explains. */
function sortOut(query: Query, found: Difference[], bodies: { here: unknown; there: unknown }): Judgement {
  const explained = found.map(difference => ({ difference, reason: departureOf(query.route, difference, bodies) }));
  const reasons = [...new Set(explained.flatMap(({ reason }) => (reason === undefined ? [] : [reason])))];
  const differences = explained.flatMap(({ difference, reason }) => (reason === undefined ? [difference] : []));
  return differences.length > 0 ? { verdict: 'different', differences, reasons } : { verdict: 'known', reasons };
}

/** An unknown route, or a deprecated one that is turned off. */
function isMissing({ status, body }: ApiResponse): boolean {
  if (status === 410) return true;
  return status === 404 && isObject(body) && /^Route \w+:.* not found$/.test(String(body.message));
}
