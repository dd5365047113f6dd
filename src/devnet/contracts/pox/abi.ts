import type { AbiType } from '../../../codec/clarity/abi.ts';
import { err, int } from '../../../codec/clarity/build.ts';
import type { Outcome } from '../contract-model.ts';

/** A reward address. */
export const poxAddressType: AbiType = {
  tuple: [
    { name: 'hashbytes', type: { buffer: { length: 32 } } },
    { name: 'version', type: { buffer: { length: 1 } } },
  ],
};

export const poxResponse = (type: AbiType): AbiType => ({ response: { ok: type, error: 'int128' } });

const stackerAnd = (...fields: string[]): AbiType =>
  poxResponse({
    tuple: [...fields, 'stacker']
      .sort()
      .map(name => ({ name, type: name === 'stacker' ? ('principal' as const) : ('uint128' as const) })),
  });

export const lockResponse = stackerAnd('lock-amount', 'unlock-burn-height');
export const increaseResponse = stackerAnd('total-locked');
export const extendResponse = stackerAnd('unlock-burn-height');

/** The signer arguments of a call. */
export const signerArgs: [string, AbiType][] = [
  ['signer-sig', { optional: { buffer: { length: 65 } } }],
  ['signer-key', { buffer: { length: 33 } }],
  ['max-amount', 'uint128'],
  ['auth-id', 'uint128'],
];

/** Error codes of pox-4. */
export const poxErrors = {
  insufficientFunds: 1,
  invalidLockPeriod: 2,
  alreadyStacked: 3,
  noSuchPrincipal: 4,
  permissionDenied: 9,
  thresholdNotMet: 11,
  invalidPoxAddress: 13,
  invalidAmount: 18,
  notAllowed: 19,
  alreadyDelegated: 20,
  delegationExpires: 21,
  delegationTooMuch: 22,
  delegationAddress: 23,
  invalidStartHeight: 24,
  extendNotLocked: 26,
  increaseNotLocked: 27,
  isDelegated: 30,
  notDelegated: 31,
  alreadyRevoked: 34,
  signatureKey: 35,
  signatureRecover: 36,
  rewardCycle: 37,
  authAmount: 38,
  authUsed: 39,
  invalidIncrease: 40,
} as const;

export const poxError = (reason: keyof typeof poxErrors): Outcome => ({ result: err(int(poxErrors[reason])) });
