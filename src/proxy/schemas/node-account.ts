import { type Static, Type } from 'typebox';
import { renderStxHolding } from '../../read/principals/balance-schema.ts';
import type { StxBalanceRow } from '../../read/principals/stx-balances-queries.ts';

export const NodeAccount = Type.Object(
  {
    balance: Type.String({ description: 'Unlocked balance in micro-STX, as `0x` and 32 hex digits.' }),
    locked: Type.String({ description: 'Locked balance in micro-STX, in the same form.' }),
    unlock_height: Type.Integer({
      description: 'Height of the burn block at which the lock ends; 0 if nothing is locked.',
    }),
    nonce: Type.Integer({ description: 'Nonce of the next transaction of the account.' }),
    balance_proof: Type.Optional(
      Type.String({
        description: 'Merkle proof in hex. Absent with `proof=0`; empty if the index answers instead of a node.',
      }),
    ),
    nonce_proof: Type.Optional(
      Type.String({
        description: 'Merkle proof in hex. Absent with `proof=0`; empty if the index answers instead of a node.',
      }),
    ),
  },
  { title: 'NodeAccount' },
);
export type NodeAccount = Static<typeof NodeAccount>;

/** An account in the form of a node, from the index; `executed` is the last nonce it used. */
export function renderNodeAccount(row: StxBalanceRow, executed: number | null, proofs: boolean): NodeAccount {
  const { balance, locked, burnchain_unlock_height } = renderStxHolding(row);
  return {
    balance: hex128(BigInt(balance) - BigInt(locked)),
    locked: hex128(BigInt(locked)),
    unlock_height: burnchain_unlock_height,
    nonce: executed === null ? 0 : executed + 1,
    ...(proofs && { balance_proof: '', nonce_proof: '' }),
  };
}

const hex128 = (value: bigint) => `0x${(value < 0n ? 0n : value).toString(16).padStart(32, '0')}`;
