import { CodecError } from '../../codec/error.ts';
import { toHex } from '../../codec/hex.ts';
import { principalToBytes } from '../../codec/principal.ts';
import { inSnapshot } from '../../db/snapshot.ts';
import { findExecutedNonce } from '../../queries/nonces.ts';
import { findStxBalance, type StxBalanceRow } from '../../queries/stx-balances.ts';
import { RosettaBalance, RosettaBalanceRequest } from '../../schemas/rosetta-account.ts';
import { lockedOf, spendableOf } from '../balances.ts';
import { findBalanceBlock } from '../block-identifier.ts';
import type { RosettaContext } from '../context.ts';
import { STX, stxAmount } from '../currency.ts';
import { RosettaError } from '../errors.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';

/** What an account has after a block. */
export function accountRoute({ sql, compat }: RosettaContext): RosettaRoute {
  return rosettaRoute({
    path: '/account/balance',
    operationId: 'rosetta_account_balance',
    summary: 'What an account can spend, or has locked, after a block',
    description:
      'Without a sub-account the balance is what can be spent. `StackedBalance` is what is locked; both together are the ' +
      'whole. `SpendableBalance` is the same as none.',
    request: RosettaBalanceRequest,
    response: RosettaBalance,
    async handler({ account_identifier: { address, sub_account }, block_identifier, currencies }) {
      const principal = principalOf(address);
      const part = partOf(sub_account?.address);
      return await inSnapshot(sql, async sql => {
        const block = await findBalanceBlock(sql, block_identifier);
        const moment = { height: block.height };
        const [stx, executed] = await Promise.all([
          findStxBalance(sql, principal, moment),
          findExecutedNonce(sql, principal, moment),
        ]);
        if (!stx || !executed) throw new RosettaError(605);
        const wanted = !currencies || currencies.some(({ symbol }) => symbol === STX.symbol);
        return {
          block_identifier: { index: block.height, hash: toHex(block.hash) },
          balances: wanted ? [stxAmount(part(stx, compat))] : [],
          metadata: { sequence_number: executed.nonce === null ? 0 : executed.nonce + 1 },
        };
      });
    },
  });
}

type Part = (row: StxBalanceRow, compat: boolean) => bigint;

/** Vesting of the first block was never part of what the chain tells. */
const nothing: Part = () => 0n;

const PARTS: Record<string, Part> = {
  SpendableBalance: spendableOf,
  StackedBalance: lockedOf,
  VestingLockedBalance: nothing,
  VestingUnlockedBalance: nothing,
};

function partOf(name: string | undefined): Part {
  const part = name === undefined ? spendableOf : PARTS[name];
  if (!part) throw new RosettaError(641);
  return part;
}

function principalOf(address: string): Uint8Array {
  try {
    return principalToBytes(address);
  } catch (error) {
    if (error instanceof CodecError) throw new RosettaError(601);
    throw error;
  }
}
