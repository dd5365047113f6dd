import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { chainingLimit } from '../../chain/mempool/mempool.ts';
import type { PendingNonce } from './nonce-chain-queries.ts';

export const NonceChain = Type.Object(
  {
    next_nonce: Type.Integer({ description: 'Nonce that the chain expects next.' }),
    ready: Type.Integer({ description: 'Number of pending transactions that follow from `next_nonce` without a gap.' }),
    missing_nonces: Type.Array(Type.Integer(), {
      description: 'Nonces without a transaction, which keep later ones from being mined; at most 1,000.',
    }),
    highest_admitted_nonce: Type.Integer({ description: 'Highest nonce that nodes accept; they reject higher ones.' }),
    pending: Type.Array(
      Type.Object({
        nonce: Type.Integer({ description: 'Nonce of the account in this transaction.' }),
        tx_id: Type.String({ description: 'Id of the transaction.' }),
        sponsoring: Type.Boolean({ description: 'Whether the account is the sponsor.' }),
        fee_rate: Type.String({ description: 'Total fee in micro-STX.' }),
        state: Type.Union([Type.Literal('ready'), Type.Literal('waiting'), Type.Literal('stale')], {
          description:
            '`ready`: no earlier nonce is missing. `waiting`: an earlier nonce is missing. `stale`: the nonce was already used.',
        }),
      }),
    ),
  },
  { title: 'NonceChain' },
);
export type NonceChain = Static<typeof NonceChain>;

const maxMissing = 1_000;

/** What prevents the pending transactions of a principal from being mined, from its last mined nonce and what is pending. */
export function renderNonceChain(executed: number | null, pending: readonly PendingNonce[]): NonceChain {
  const next = (executed ?? -1) + 1;
  const nonces = new Set(pending.map(({ nonce }) => Number(nonce)));
  let end = next;
  while (nonces.has(end)) end++;
  const missing: number[] = [];
  const last = Math.max(next, ...nonces);
  for (let nonce = end; nonce < last && missing.length < maxMissing; nonce++) {
    if (!nonces.has(nonce)) missing.push(nonce);
  }
  return {
    next_nonce: next,
    ready: end - next,
    missing_nonces: missing,
    highest_admitted_nonce: next + 1 + chainingLimit,
    pending: pending.map(row => {
      const nonce = Number(row.nonce);
      return {
        nonce,
        tx_id: toHex(row.tx_id),
        sponsoring: row.sponsoring,
        fee_rate: row.fee.toString(),
        state: nonce < next ? ('stale' as const) : nonce < end ? ('ready' as const) : ('waiting' as const),
      };
    }),
  };
}
