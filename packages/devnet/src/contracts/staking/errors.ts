import { err, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import type { Outcome } from '../contract-model.ts';

/** The error codes of pox-5. */
export const stakingErrors = {
  UNAUTHORIZED: 1,
  CANNOT_SETUP_BOND_TOO_SOON: 2,
  CANNOT_SETUP_BOND_TOO_LATE: 3,
  BOND_ALREADY_SETUP: 4,
  STAKER_ALREADY_ADDED: 5,
  BOND_NOT_FOUND: 7,
  INSUFFICIENT_STX: 8,
  ALREADY_REGISTERED: 9,
  TOO_MUCH_SATS: 10,
  NOT_ALLOWLISTED: 11,
  SIGNER_KEY_GRANT_USED: 12,
  INVALID_SIGNATURE_RECOVER: 13,
  INVALID_SIGNATURE_PUBKEY: 14,
  SIGNER_KEY_GRANT_NOT_FOUND: 17,
  ALREADY_STAKED: 19,
  INVALID_NUM_CYCLES: 20,
  SIGNER_NOT_FOUND: 23,
  INVALID_START_BURN_HEIGHT: 24,
  UNAUTHORIZED_SIGNER_REGISTRATION: 26,
  NOT_STAKING: 27,
  UNSTAKE_IN_PREPARE_PHASE: 28,
  INVALID_BOND_PERIOD_ORDERING: 29,
  DISTRIBUTION_ALREADY_COMPUTED: 30,
  BOND_NOT_ACTIVE: 31,
  NO_CLAIMABLE_REWARDS: 32,
  ACTIVE_BOND_NOT_INCLUDED: 33,
  NOT_BOND_PARTICIPANT: 34,
  CANNOT_ANNOUNCE_L1_EARLY_UNLOCK: 35,
  INVALID_OLD_SIGNER_MANAGER: 36,
  INVALID_UNSTAKE_SBTC_AMOUNT: 37,
  CANNOT_UNSTAKE_SBTC: 38,
  READ_TX_OUT_OF_BOUNDS: 39,
  INVALID_BTC_HEADER: 40,
  INVALID_MERKLE_PROOF: 41,
  INVALID_LOCKUP_SCRIPT: 42,
  BOND_ALREADY_STARTED: 43,
  UPDATE_BOND_SAME_SIGNER: 44,
  INVALID_LOCKUP_AMOUNT: 45,
  DUPLICATE_LOCKUP_OUTPOINT: 46,
  STAKE_IN_PREPARE_PHASE: 47,
  ROLLOVER_TOO_EARLY: 48,
  REENTRANT_CALL: 49,
  L1_EARLY_EXIT_ALREADY_ANNOUNCED: 50,
  INSUFFICIENT_RESERVE_BALANCE: 51,
  INVALID_UNLOCK_HEIGHT: 52,
  REWARDS_PAUSED: 53,
} as const;

/** An error of pox-5, thrown to end the call with it. */
export class StakingRefusal extends Error {
  readonly outcome: Outcome;

  constructor(reason: keyof typeof stakingErrors) {
    super(reason);
    this.outcome = { result: err(uint(stakingErrors[reason])) };
  }
}

/** Ends the call with an error unless the condition holds. */
export function demand(condition: boolean, reason: keyof typeof stakingErrors): asserts condition {
  if (!condition) throw new StakingRefusal(reason);
}

/** The constants of pox-5 that are errors. */
export const stakingErrorConstants: Record<string, ClarityValue> = Object.fromEntries(
  Object.entries(stakingErrors).map(([name, code]) => [`ERR_${name}`, err(uint(code))]),
);
