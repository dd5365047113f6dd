import type { BurnBlock } from './burn-chain.ts';
import type { Executed } from './executed.ts';
import type { Message } from './message-text.ts';

/** `/new_burn_block` of a burn block. */
export const burnMessage = ({ message }: BurnBlock): Message => ({ path: '/new_burn_block', body: message });

/** `/new_mempool_tx` of transactions that wait. */
export const mempoolMessage = (transactions: readonly Pick<Executed, 'raw'>[]): Message => ({
  path: '/new_mempool_tx',
  body: transactions.map(t => t.raw),
});

/** Why a node lets go of a transaction that waits. */
export type DropReason = 'ReplaceByFee' | 'ReplaceAcrossFork' | 'TooExpensive' | 'StaleGarbageCollect' | 'Problematic';

/** `/drop_mempool_tx` of transactions that wait no longer. */
export const dropMessage = (txIds: readonly string[], reason: DropReason, newTxId: string | null = null): Message => ({
  path: '/drop_mempool_tx',
  body: { dropped_txids: txIds, reason, new_txid: newTxId },
});
