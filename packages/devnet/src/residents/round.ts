import { residentAccounts } from './accounts.ts';
import { runInitialSetup } from './initial-setup.ts';
import { reportMiner, residentActions } from './resident-actions.ts';
import type { Residents } from './residents.ts';
import { bridgeSbtc } from './sbtc-actions.ts';
import { stakeByPox5 } from './staking-actions.ts';

/** Sends the transactions of one round, between two blocks. */
export function playRound(residents: Residents): void {
  const { random, node } = residents;
  residents.round++;
  if (runInitialSetup(residents)) return;
  stakeByPox5(residents);
  bridgeSbtc(residents);
  if (!node.chain.release.nakamoto && residents.round % 6 === 0) reportMiner(residents, residentAccounts[0]);
  const count = 2 + random.below(3);
  for (let i = 0; i < count; i++) random.pick(residentActions)(residents, random.pick(residentAccounts));
  // One action follows the round number, so that every action, and every transaction status, appears soon.
  residentActions[residents.round % residentActions.length]!(residents, random.pick(residentAccounts));
}
