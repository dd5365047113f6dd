import type { Pool, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import type { AsOf } from '../pages/as-of-queries.ts';
import { listNonceChain } from './nonce-chain-queries.ts';
import { renderNonceChain } from './nonce-chain-schema.ts';
import { findExecutedNonce, findNonces, listPendingNonces } from './nonces-queries.ts';
import { renderNonces, renderPrincipalNonces } from './nonces-schema.ts';

/** The nonces of a principal now (`unanchored`: microblocks have used theirs) or after a block; 404 without that block. */
export const findAddressNonces = (pool: Pool, principal: Uint8Array, asOf: AsOf, block: object) =>
  inSnapshot(pool, async sql => {
    const executed = await findExecutedNonce(sql, principal, asOf);
    if (asOf === 'unanchored') {
      return renderNonces(executed?.nonce ?? null, await listPendingNonces(sql, principal));
    }
    const height = typeof asOf === 'object' && 'height' in asOf ? asOf.height : executed?.height;
    if (!executed || executed.height !== height) throw notFound(`No block found for ${JSON.stringify(block)}`);
    return renderNonces(executed.nonce, []);
  });

/** The pending transactions of a principal by nonce, and what blocks them. */
export const findNonceChain = (pool: Pool, principal: Uint8Array) =>
  inSnapshot(pool, async sql => {
    const executed = await findExecutedNonce(sql, principal, 'unanchored');
    return renderNonceChain(executed?.nonce ?? null, await listNonceChain(sql, principal));
  });

/** The nonces that a principal has used, and the next one. */
export async function findPrincipalNonces(sql: Sql, principal: Uint8Array) {
  const { executed, pending } = await findNonces(sql, principal);
  return renderPrincipalNonces(executed, pending);
}
