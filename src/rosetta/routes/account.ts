import { toHex } from '@cairn-stacks/codec/hex';
import type { Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { AsOf } from '../../read/pages/as-of-queries.ts';
import { findExecutedNonce } from '../../read/principals/nonces-queries.ts';
import { findStxBalance, type StxBalanceRow } from '../../read/principals/stx-balances-queries.ts';
import { findVesting, type VestingRow } from '../../read/principals/vesting-queries.ts';
import { principalOf } from '../account.ts';
import { lockedOf, spendableOf } from '../balances.ts';
import { findBalanceBlock } from '../block-identifier.ts';
import type { RosettaContext } from '../context.ts';
import { RosettaError } from '../errors.ts';
import { STX, stxAmount } from '../operations/currency.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';
import { RosettaBalance, RosettaBalanceRequest } from '../schemas/account.ts';
import type { RosettaAmount } from '../schemas/rosetta.ts';

/** The balance of an account after a block. */
export function accountRoute({ network, compat }: RosettaContext): RosettaRoute {
  return rosettaRoute({
    path: '/account/balance',
    operationId: 'rosetta_account_balance',
    summary: 'Get the balance of an account',
    description:
      'Returns an STX balance after a block, or at the tip without `block_identifier`. Amounts are in micro-STX. ' +
      'Without a sub-account, or with `SpendableBalance`, it is the unlocked balance. `StackedBalance` is the ' +
      'locked balance; the sum of both is the total. `VestingLockedBalance` and `VestingUnlockedBalance` are the ' +
      'parts of the genesis vesting schedule.',
    request: RosettaBalanceRequest,
    response: RosettaBalance,
    async handler({ account_identifier: { address, sub_account }, block_identifier, currencies }, sql) {
      const principal = principalOf(address, { network, compat });
      const part = partOf(sub_account?.address);
      return await inSnapshot(sql, async sql => {
        const block = await findBalanceBlock(sql, block_identifier, compat);
        const asOf = { height: block.height };
        const [amount, executed] = await Promise.all([
          part({ sql, principal, asOf, compat }),
          findExecutedNonce(sql, principal, asOf),
        ]);
        const wanted = !currencies || currencies.some(({ symbol }) => symbol === STX.symbol);
        return {
          block_identifier: { index: block.height, hash: toHex(block.hash) },
          balances: wanted ? [amount] : [],
          metadata: { sequence_number: executed?.nonce == null ? 0 : executed.nonce + 1 },
        };
      });
    },
  });
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

function partOf(name = 'SpendableBalance'): Part {
  const part = PARTS[name];
  if (!part) throw new RosettaError(641);
  return part;
}
