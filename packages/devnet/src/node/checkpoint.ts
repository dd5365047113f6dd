import type { BuiltBlock } from '../chain/built-block.ts';
import { burnMessage, dropMessage } from '../chain/burn-and-mempool-messages.ts';
import type { BurnBlock } from '../chain/burn-chain.ts';
import type { Residents } from '../residents/residents.ts';
import type { DevnetNode } from './devnet-node.ts';
import type { PendingTransaction } from './mempool.ts';

/** A state of the chain to which a running devnet can go back. The next block after it must start a tenure. */
export type Checkpoint = {
  tip: BuiltBlock;
  burnTip: BurnBlock;
  mempool: PendingTransaction[];
  round: number;
  /** Transactions that were mined or became pending since. */
  later: Set<string>;
};

export const takeCheckpoint = ({ node, round }: Residents): Checkpoint => ({
  tip: node.tip,
  burnTip: node.chain.burnChain.tip,
  mempool: node.mempool.list(),
  round,
  later: new Set(),
});

/**
 * Takes the chain back to a checkpoint. The observer sees a Bitcoin reorganization: a burn block replaces the first one after
 * the checkpoint, so that every later block loses its burn block. Later transactions are dropped from the mempool.
 */
export function goBackTo(checkpoint: Checkpoint, residents: Residents): void {
  const { node } = residents;
  const { burnChain } = node.chain;
  const kept = new Set(checkpoint.mempool.map(({ txId }) => txId));
  const later = [...checkpoint.later, ...node.mempool.list().map(({ txId }) => txId)];
  const dropped = [...new Set(later)].filter(txId => !kept.has(txId));
  burnChain.tip = checkpoint.burnTip;
  node.tip = checkpoint.tip;
  node.mempool.clear();
  for (const pending of checkpoint.mempool) node.mempool.restore(pending);
  residents.round = checkpoint.round;
  checkpoint.later.clear();
  const burn = burnChain.mine(Math.max(node.options.now(), checkpoint.burnTip.time + 1));
  node.options.post(burnMessage(burn));
  if (dropped.length > 0) node.options.post(dropMessage(dropped, 'StaleGarbageCollect'));
}

/** Notes the transactions of a new block in the checkpoints before it. */
export function noteBlock(checkpoints: Iterable<Checkpoint>, { transactions }: BuiltBlock, node: DevnetNode): void {
  for (const { later } of checkpoints) {
    for (const { raw, txId } of transactions) if (raw !== '0x00') later.add(txId);
    for (const { txId } of node.mempool.list()) later.add(txId);
  }
}
