import type { ExecutionCost } from '../api/schema.ts';

/** What an epoch says in `/v2/pox` of a node; nodes may leave the limits out. */
type Epoch = { start_height: number; end_height: number; block_limit?: Partial<ExecutionCost> };

/**
 * What the transactions of one tenure may use together since epoch 2.05 (SIP-012), for nodes that do not say it. Mainnet and
 * testnet have the same limits.
 */
const since205: ExecutionCost = {
  runtime: 5_000_000_000,
  read_count: 15_000,
  read_length: 100_000_000,
  write_count: 15_000,
  write_length: 15_000_000,
};

/** The limits of the epoch that a Bitcoin height belongs to, from the node where it says them. */
export function costLimitsAt(pox: unknown, burnHeight: number): ExecutionCost {
  const { epochs } = (pox ?? {}) as { epochs?: readonly Epoch[] };
  const epoch = epochs?.find(each => each.start_height <= burnHeight && burnHeight < each.end_height);
  return { ...since205, ...epoch?.block_limit };
}
