import type { Sql } from '../db/client.ts';

/** What pending transactions would move for an account, in micro-STX. */
export type PendingStx = { inbound: bigint; outbound: bigint };

/** Nothing is pending until the mempool is folded: its tables are still to come. */
export async function findPendingStx(_sql: Sql, _principal: Uint8Array): Promise<PendingStx> {
  return { inbound: 0n, outbound: 0n };
}
