import type { BurnBlock } from './burn-chain.ts';
import type { Executed } from './executed.ts';
import type { Message } from './message-text.ts';

/** The `/new_burn_block` message of a burn block. */
export const burnMessage = ({ message }: BurnBlock): Message => ({ path: '/new_burn_block', body: message });

/** The `/new_mempool_tx` message of pending transactions. */
export const mempoolMessage = (transactions: readonly Pick<Executed, 'raw'>[]): Message => ({
  path: '/new_mempool_tx',
  body: transactions.map(t => t.raw),
});

/** Why a node drops a pending transaction. */
export type DropReason = 'ReplaceByFee' | 'ReplaceAcrossFork' | 'TooExpensive' | 'StaleGarbageCollect' | 'Problematic';

/** The `/drop_mempool_tx` message of dropped transactions. */
export const dropMessage = (txIds: readonly string[], reason: DropReason, newTxId: string | null = null): Message => ({
  path: '/drop_mempool_tx',
  body: { dropped_txids: txIds, reason, new_txid: newTxId },
});
