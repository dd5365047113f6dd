import { payloadIds } from '../transaction.ts';

/** State of a mempool row. Never renumber. */
export const mempoolStatus = { pending: 0, dropped: 1, streamed: 2 } as const;
export type MempoolStatus = (typeof mempoolStatus)[keyof typeof mempoolStatus];

/** The source of events about transactions sent through this service; it is not a node, so that a node can still report them. */
export const broadcastSource = 'api';

/** Why a node drops a transaction; unknown reasons are stored unchanged. */
export const dropReasons = {
  replaceByFee: 'ReplaceByFee',
  replaceAcrossFork: 'ReplaceAcrossFork',
  tooExpensive: 'TooExpensive',
  stale: 'StaleGarbageCollect',
  problematic: 'Problematic',
} as const;

/** The public status of a dropped transaction: `ReplaceByFee` reads `dropped_replace_by_fee`. */
export function droppedStatus(reason: string): string {
  return `dropped${reason.replace(/[A-Z]+/g, word => `_${word.toLowerCase()}`).replace(/^(?!_)/, '_')}`;
}

/** A transaction that waited longer than this is dropped: tenures before Nakamoto, seconds since (the node's own limits). */
export const expiry = { tenures: 256, seconds: 153_600 } as const;

/** Time after which the mempool of a silent node counts as empty. */
export const silentSeconds = 3_600;

/** Most unconfirmed nonces beyond the next one that a node admits (MAXIMUM_MEMPOOL_TX_CHAINING). */
export const chainingLimit = 25;

/**
 * Payload ids that only a miner makes. A fork leaves them behind like all others and lists show them, as they always did,
 * but they can never be mined again: they count for no nonce, fee or statistic.
 */
export const minerPayloads: readonly number[] = [
  payloadIds.coinbase,
  payloadIds.coinbase_to_alt_recipient,
  payloadIds.tenure_change,
  payloadIds.nakamoto_coinbase,
];
