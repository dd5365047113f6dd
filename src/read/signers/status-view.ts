import type { TipSource } from '../../cache/tip-cache.ts';
import { toHex } from '../../codec/hex.ts';
import { version } from '../../config/version.ts';
import { databaseUnavailable } from '../../errors.ts';

/** The version of the service and the tip of the chain. */
export function readSignerMetricsStatus({ current }: TipSource) {
  if (!current) throw databaseUnavailable();
  return {
    server_version: `cairn v${version}`,
    status: 'ready' as const,
    chain_tip: { block_height: Math.max(0, current.height), index_block_hash: toHex(current.indexHash) },
  };
}
