import type { Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { AsOf } from '../../read/pages/as-of-queries.ts';
import { findExecutedNonce } from '../../read/principals/nonces-queries.ts';
import { findStxBalance, type StxBalanceRow } from '../../read/principals/stx-balances-queries.ts';
import { findVesting, type VestingRow } from '../../read/principals/vesting-queries.ts';
import { principalOf } from '../account.ts';
import { lockedOf, spendableOf } from '../balances.ts';
import { findBalanceBlock, identifierOf } from '../block-identifier.ts';
import type { RosettaContext } from '../context.ts';
import { RosettaError } from '../errors.ts';
import { isStx, STX, stxAmount } from '../operations/currency.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';
import { RosettaBalance, RosettaBalanceRequest } from '../schemas/account.ts';
import type { RosettaAmount } from '../schemas/rosetta.ts';
import { readTokenAmounts } from '../token-amounts.ts';

/** The balance of an account after a block. */
export function accountRoute({ network, compat, blockHash }: RosettaContext): RosettaRoute {
  return rosettaRoute({
    path: '/account/balance',
    operationId: 'rosetta_account_balance',
    summary: 'Get the balance of an account',
    description:
      'Returns an STX balance after a block, or at the tip without `block_identifier`. Amounts are in micro-STX. ' +
      'Without a sub-account, or with `SpendableBalance`, it is the unlocked balance. `StackedBalance` is the ' +
      'locked balance; the sum of both is the total. `VestingLockedBalance` and `VestingUnlockedBalance` are the ' +
      'parts of the genesis vesting schedule. A token is returned only if `currencies` has it, with the metadata that ' +
      'operations show.',
    request: RosettaBalanceRequest,
    response: RosettaBalance,
    async handler({ account_identifier: { address, sub_account }, block_identifier, currencies }, sql) {
      const principal = principalOf(address, { network, compat });
      const part = partOf(sub_account?.address, compat);
      const tokens = compat
        ? []
        : (currencies ?? []).filter(({ metadata }) => metadata?.asset_identifier !== undefined);
      if (tokens.length > 0 && sub_account) throw new RosettaError(641, 'tokens have no sub-accounts');
      return await inSnapshot(sql, async sql => {
        const block = await findBalanceBlock(sql, block_identifier, compat);
        const asOf = { height: block.height };
        const [amount, executed, row, amounts] = await Promise.all([
          part({ sql, principal, asOf, compat }),
          findExecutedNonce(sql, principal, asOf),
          compat ? undefined : findStxBalance(sql, principal, asOf),
          readTokenAmounts(sql, principal, tokens, block.height),
        ]);
        const wanted = !currencies || currencies.some(compat ? ({ symbol }) => symbol === STX.symbol : isStx);
        const nonce = executed?.nonce == null ? 0 : executed.nonce + 1;
        return {
          block_identifier: identifierOf(block, blockHash),
          balances: [...(wanted ? [amount] : []), ...amounts],
          metadata: { sequence_number: nonce, ...(row && { nonce, ...lockOf(row) }) },
        };
      });
    },
  });
}

/** What is locked, and until which burn height. */
function lockOf(row: StxBalanceRow) {
  const locked = lockedOf(row, false);
  return { locked_balance: locked.toString(), unlock_height: locked === 0n ? 0 : (row.unlock_height ?? 0) };
}

type AccountQuery = { sql: Sql; principal: Uint8Array; asOf: AsOf; compat: boolean };
type Part = (query: AccountQuery) => Promise<RosettaAmount>;

/** A part of the STX balance of an account. */
const partOfStx =
  (read: (row: StxBalanceRow, compat: boolean) => bigint): Part =>
  async ({ sql, principal, asOf, compat }) => {
    const row = await findStxBalance(sql, principal, asOf);
    if (!row) throw new RosettaError(605);
    return stxAmount(read(row, compat));
  };

/** A part of the genesis vesting, with the whole schedule. */
const partOfVesting =
  (read: (row: VestingRow) => string): Part =>
  async ({ sql, principal, asOf }) => {
    const row = await findVesting(sql, principal, asOf);
    if (!row) return stxAmount(0n);
    const schedule = row.schedule.map(({ amount, height }) => JSON.stringify({ amount, unlock_height: height }));
    return { ...stxAmount(BigInt(read(row))), metadata: { VestingSchedule: schedule } };
  };

const PARTS: Record<string, Part> = {
  SpendableBalance: partOfStx(spendableOf),
  StackedBalance: partOfStx(lockedOf),
  VestingLockedBalance: partOfVesting(row => row.locked),
  VestingUnlockedBalance: partOfVesting(row => row.unlocked),
};

function partOf(name = 'SpendableBalance', compat: boolean): Part {
  const part = PARTS[name === 'locked' && !compat ? 'StackedBalance' : name];
  if (!part) throw new RosettaError(641);
  return part;
}
