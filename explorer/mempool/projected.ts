/** What of a pending transaction decides when it is mined. */
type Waiting = { tx_id: string; sender_address: string; nonce: number; fee_rate: string };

export type ProjectedBlock<T> = { transactions: T[]; lowest: bigint; highest: bigint; total: bigint };

/**
 * The blocks that a miner would make who takes the highest fee first, so many transactions in each. Those of one sender stay in
 * the order of their nonces: a high fee helps only once those before it are mined.
 */
export function projectBlocks<T extends Waiting>(
  waiting: readonly T[],
  perBlock: number,
  blocks: number,
): ProjectedBlock<T>[] {
  const bySender = new Map<string, T[]>();
  // The last one of each list is the next of its sender.
  for (const tx of [...waiting].sort((a, b) => b.nonce - a.nonce)) {
    const own = bySender.get(tx.sender_address);
    if (own) own.push(tx);
    else bySender.set(tx.sender_address, [tx]);
  }
  const next = [...bySender.values()].sort(byFeeOfNext);
  const projected: ProjectedBlock<T>[] = [];
  while (projected.length < blocks && next.length > 0) {
    const transactions: T[] = [];
    while (transactions.length < perBlock && next.length > 0) {
      const own = next.shift()!;
      transactions.push(own.pop()!);
      if (own.length > 0) insert(next, own);
    }
    const fees = transactions.map(tx => BigInt(tx.fee_rate));
    const sorted = [...fees].sort((a, b) => (a < b ? -1 : 1));
    projected.push({
      transactions,
      lowest: sorted[0]!,
      highest: sorted.at(-1)!,
      total: fees.reduce((sum, fee) => sum + fee),
    });
  }
  return projected;
}

const feeOfNext = (own: readonly Waiting[]) => BigInt(own.at(-1)!.fee_rate);
const byFeeOfNext = (a: readonly Waiting[], b: readonly Waiting[]) =>
  feeOfNext(a) === feeOfNext(b) ? (a.at(-1)!.tx_id < b.at(-1)!.tx_id ? -1 : 1) : feeOfNext(a) > feeOfNext(b) ? -1 : 1;

function insert<T extends Waiting>(next: T[][], own: T[]): void {
  const at = next.findIndex(other => byFeeOfNext(own, other) < 0);
  next.splice(at < 0 ? next.length : at, 0, own);
}

/** A page that is open for longer has seen more blocks: each page looks at as many. */
const LAST_BLOCKS = 20;

/** How many transactions a block has, on the mean of the last ones; blocks are given newest first. */
export function perBlockOf(blocks: readonly { canonical: boolean; transactions: number }[]): number {
  const last = blocks.filter(({ canonical }) => canonical).slice(0, LAST_BLOCKS);
  const counts = last.map(({ transactions }) => transactions);
  if (counts.length === 0) return 1;
  return Math.max(1, Math.round(counts.reduce((sum, count) => sum + count, 0) / counts.length));
}
