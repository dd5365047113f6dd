import { type Static, Type } from 'typebox';

const nullableNonce = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

export const Nonces = Type.Object(
  {
    last_mempool_tx_nonce: nullableNonce('Highest nonce of a pending transaction; null if none is pending.'),
    last_executed_tx_nonce: nullableNonce('Highest nonce of a confirmed transaction; null if there is none.'),
    possible_next_nonce: Type.Integer({ description: 'Nonce to use for the next transaction.' }),
    detected_missing_nonces: Type.Array(Type.Integer(), {
      description:
        'Nonces without a transaction, which keep later ones from being mined, highest first; at most 1,000.',
    }),
    detected_mempool_nonces: Type.Array(Type.Integer(), {
      description: 'Nonces of pending transactions below the highest one.',
    }),
  },
  { title: 'AddressNonces' },
);
export type Nonces = Static<typeof Nonces>;

export const PrincipalNonces = Type.Object(
  {
    next_nonce: Type.Integer({ description: 'Nonce to use for the next transaction.' }),
    last_confirmed_nonce: nullableNonce('Highest nonce of a confirmed transaction; null if there is none.'),
    mempool: Type.Object({
      last_nonce: nullableNonce('Highest nonce of a pending transaction; null if none is pending.'),
      pending_nonces: Type.Array(Type.Integer(), {
        description:
          'Nonces of pending transactions below the highest one, lowest first. Empty if the account has no confirmed transaction.',
      }),
      missing_nonces: Type.Array(Type.Integer(), {
        description:
          'Nonces without a transaction, highest first; at most 1,000. Empty if the account has no confirmed transaction.',
      }),
    }),
  },
  { title: 'PrincipalNonces' },
);
export type PrincipalNonces = Static<typeof PrincipalNonces>;

/** A wider gap is a mistake of the sender; its nonces are not listed. */
const maxMissing = 1000;

/** The nonce state of an account from its last mined nonce and those of its pending transactions. */
export function renderNonces(executed: number | null, pending: readonly number[]): Nonces {
  const last = pending.length === 0 ? null : Math.max(...pending);
  const used = executed ?? -1;
  const known = new Set(pending);
  const missing: number[] = [];
  for (let nonce = (last ?? 0) - 1; nonce > used && missing.length < maxMissing; nonce--) {
    if (!known.has(nonce)) missing.push(nonce);
  }
  return {
    last_mempool_tx_nonce: last,
    last_executed_tx_nonce: executed,
    possible_next_nonce: Math.max(used, last ?? -1) + 1,
    detected_missing_nonces: missing,
    detected_mempool_nonces: pending.filter(nonce => nonce > used && nonce < (last ?? 0)),
  };
}

/**
 * The nonces of a principal in the words of the third version: what lies between the last confirmed and the highest pending nonce, without
 * either, and nothing where one of the two is unknown.
 */
export function renderPrincipalNonces(executed: number | null, pending: readonly number[]): PrincipalNonces {
  const nonces = renderNonces(executed, pending);
  const between = executed !== null;
  return {
    next_nonce: nonces.possible_next_nonce,
    last_confirmed_nonce: executed,
    mempool: {
      last_nonce: nonces.last_mempool_tx_nonce,
      pending_nonces: between ? nonces.detected_mempool_nonces : [],
      missing_nonces: between ? nonces.detected_missing_nonces : [],
    },
  };
}
