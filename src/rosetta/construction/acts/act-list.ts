import type { Act } from './act.ts';
import { contractCall, contractDeploy } from './contract-acts.ts';
import { revokeDelegateStx, stackExtend, stackIncrease } from './stacking-acts.ts';
import { registerForBond, stake, stakeUpdate, unstake } from './staking-acts.ts';

const acts: readonly Act[] = [
  contractCall,
  contractDeploy,
  stackExtend,
  stackIncrease,
  revokeDelegateStx,
  stake,
  stakeUpdate,
  unstake,
  registerForBond,
];
const byType = new Map(acts.map(act => [act.type, act]));

/** The act of an operation type; undefined for any other type. */
export const actOf = (type: string | undefined): Act | undefined => (type === undefined ? undefined : byType.get(type));
