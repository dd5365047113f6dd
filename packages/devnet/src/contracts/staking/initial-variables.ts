import { bool, principal, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { accountAt } from '../../chain/account.ts';
import { deployer } from '../../residents/accounts.ts';
import { cycleLength, prepareLength } from '../pox/cycle.ts';
import { firstStakingCycle } from './bond-period.ts';

/** The variables of pox-5 at genesis; the account that deploys the devnet's contracts sets up bonds. */
export function initialVariables(mainnet: boolean): Record<string, ClarityValue> {
  const admin = principal(accountAt(deployer, mainnet).address);
  return {
    'bond-admin': admin,
    'pause-admin': admin,
    configured: bool(true),
    'first-bond-period-cycle': uint(firstStakingCycle),
    'first-pox-5-reward-cycle': uint(firstStakingCycle),
    'first-burnchain-block-height': uint(0),
    'pox-prepare-cycle-length': uint(prepareLength),
    'pox-reward-cycle-length': uint(cycleLength),
    'last-accounted-rewards-only': uint(0),
    'last-reward-compute-height': uint(0),
    'reserve-balance': uint(0),
    'rewards-paused': bool(false),
    'signer-manager-call-active': bool(false),
    'total-sbtc-staked': uint(0),
  };
}
