import { bool, buffer, err, none, ok, principal, some, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { sha256 } from '@cairn-stacks/codec/hash';
import {
  bytesArg,
  type CallContext,
  type Outcome,
  principalArg,
  type Run,
  uintArg,
  VmFailure,
} from '../contract-model.ts';
import type { Draft, MapKey } from '../draft.ts';
import { cycleLength, cycleOf, isPreparing, slotThreshold } from '../pox/cycle.ts';
import { boundedUint, poxInfo } from '../pox/reads.ts';
import { bondOf } from './bond-functions.ts';
import {
  bondEndCycle,
  bondFirstCycle,
  bondUnlockHeight,
  cycleStart,
  distributionLength,
  firstStakingCycle,
  isBondActiveAt,
  maxStakeCycles,
  minimumStx,
} from './bond-period.ts';
import { stakingErrors } from './errors.ts';
import {
  earnedBy,
  hasGrant,
  linksOf,
  type Membership,
  membershipOf,
  membershipValue,
  type Pool,
  poolKey,
  signerKey,
  stakeOf,
  stakerKey,
  storedMembership,
} from './positions.ts';
import { activeBonds, newRewards, rewardsHeld, signerEarned, stakerEarned } from './reward-functions.ts';
import { stakingDraft } from './run.ts';
import { grantHash } from './signer-functions.ts';

type Read = (context: CallContext, draft: Draft, args: readonly ClarityValue[]) => ClarityValue;

const optional = (value: ClarityValue | undefined): ClarityValue => (value ? some(value) : none);
const name = (signer: string | undefined) => optional(signer === undefined ? undefined : principal(signer));
const index = (value: ClarityValue | undefined) => (value?.type === 'some' ? uintArg([value.value], 0) : undefined);

/** The arguments `reward-cycle, bond-index`, which begin at an index. */
const poolAt = (args: readonly ClarityValue[], from: number): Pool => ({
  cycle: uintArg(args, from),
  bond: index(args[from + 1]),
});

/** A uint in a map, found by a key that the arguments give. */
const numberOf =
  (map: string, key: (args: readonly ClarityValue[]) => MapKey): Read =>
  (_, draft, args) =>
    uint(draft.number(map, key(args)));

const ofPool = (map: string) => numberOf(map, args => poolKey(poolAt(args, 0)));
const ofSigner = (map: string) => numberOf(map, args => signerKey(poolAt(args, 1), principalArg(args, 0)));
const ofStaker = (map: string) =>
  numberOf(map, args => stakerKey(poolAt(args, 1), principalArg(args, 0), principalArg(args, 3)));
const ofSignerCycle = (map: string) => numberOf(map, args => ({ cycle: args[1]!, signer: args[0]! }));

function existingMembership(value: ClarityValue | undefined): Pick<Membership, 'bond'> | undefined {
  if (value?.type !== 'some' || value.value.type !== 'tuple') return undefined;
  const bond = value.value.entries.find(entry => entry.name === 'bond-index')?.value;
  return bond && { bond: uintArg([bond], 0) };
}

const reads: Record<string, Read> = {
  'get-pox-info': context => ok(poxInfo(context)),
  'current-pox-reward-cycle': ({ burnHeight }) => uint(cycleOf(burnHeight)),
  'current-distribution-cycle': ({ burnHeight }) => uint(Math.floor(burnHeight / distributionLength)),
  'burn-height-to-reward-cycle': (_, __, args) => uint(uintArg(args, 0) / BigInt(cycleLength)),
  'burn-height-to-distribution-index': (_, __, args) => uint(uintArg(args, 0) / BigInt(distributionLength)),
  'reward-cycle-to-burn-height': (_, __, args) => boundedUint(cycleStart(uintArg(args, 0))),
  'distribution-cycle-to-burn-height': (_, __, args) => boundedUint(uintArg(args, 0) * BigInt(distributionLength)),
  'bond-period-to-reward-cycle': (_, __, args) => boundedUint(bondFirstCycle(uintArg(args, 0))),
  'bond-period-to-burn-height': (_, __, args) => boundedUint(cycleStart(bondFirstCycle(uintArg(args, 0)))),
  'get-bond-l1-unlock-height': (_, __, args) => boundedUint(bondUnlockHeight(uintArg(args, 0))),
  'get-first-pox-5-reward-cycle': () => uint(firstStakingCycle),
  'is-in-prepare-phase': ({ burnHeight }, _, args) =>
    bool(isPreparing(burnHeight) && uintArg(args, 0) === BigInt(cycleOf(burnHeight))),
  'check-pox-lock-period': (_, __, args) => bool(uintArg(args, 0) >= 1n && uintArg(args, 0) <= BigInt(maxStakeCycles)),
  'is-bond-active-at-height': (_, draft, args) =>
    bool(bondOf(draft, uintArg(args, 0)) !== undefined && isBondActiveAt(uintArg(args, 0), uintArg(args, 1))),
  'min-ustx-for-sats-amount': (_, __, args) =>
    boundedUint(minimumStx(uintArg(args, 0), uintArg(args, 1), uintArg(args, 2))),
  'assert-all-active-bonds-included'(_, draft, args) {
    const bonds = args[0]?.type === 'list' ? args[0].items.map(item => uintArg([item], 0)) : [];
    const complete = activeBonds(draft, uintArg(args, 1)).every(bond => bonds.includes(bond));
    return complete ? ok(bool(true)) : err(uint(stakingErrors.ACTIVE_BOND_NOT_INCLUDED));
  },
  'bond-overlaps-new-position?'(_, __, args) {
    const membership = existingMembership(args[0]);
    return bool(membership !== undefined && bondEndCycle(membership.bond) > uintArg(args, 1));
  },
  'get-protocol-bond': (_, draft, args) => optional(draft.entry('protocol-bonds', args[0]!)),
  'get-bond-allowance': (_, draft, args) =>
    optional(draft.entry('protocol-bond-allowances', { 'bond-index': args[0]!, staker: args[1]! })),
  'get-bond-membership'({ burnHeight }, draft, args) {
    const membership = membershipOf(draft, principalArg(args, 0), burnHeight);
    return optional(membership && membershipValue(membership));
  },
  'has-announced-l1-early-exit': (_, draft, args) =>
    bool(
      draft.entry('protocol-bond-l1-early-exit-announced', { 'bond-index': args[0]!, staker: args[1]! }) !== undefined,
    ),
  'get-staker-info': ({ burnHeight }, draft, args) =>
    stakeOf(draft, principalArg(args, 0), burnHeight) ? optional(draft.entry('staker-info', args[0]!)) : none,
  'get-staker-custodied-sbtc'(_, draft, args) {
    const membership = storedMembership(draft, principalArg(args, 0));
    return uint(membership && !membership.l1 ? membership.sats : 0n);
  },
  'get-total-sbtc-staked': (_, draft) => uint(draft.uintVariable('total-sbtc-staked')),
  'get-total-sbtc-staked-for-bond': numberOf('protocol-bonds-total-staked', args => args[0]!),
  'get-signer-info': (_, draft, args) => optional(draft.entry('signers', args[0]!)),
  'get-signer-cycle-membership': (_, draft, args) =>
    optional(draft.entry('staker-signer-cycle-memberships', { cycle: args[1]!, staker: args[0]! })),
  'get-amount-delegated-for-signer': ofSignerCycle('signer-delegated-per-cycle'),
  'get-signer-pending-staked-ustx-per-cycle'(_, draft, args) {
    const delegated = draft.number('signer-delegated-per-cycle', { cycle: args[1]!, signer: args[0]! });
    return uint(delegated < slotThreshold ? delegated : 0n);
  },
  'get-ustx-delegated-for-cycle': numberOf('ustx-delegated-per-cycle', args => args[0]!),
  'get-total-ustx-stacked': numberOf('ustx-delegated-per-cycle', args => args[0]!),
  'get-signer-grant-message-hash': ({ chainId }, _, args) =>
    buffer(grantHash(principalArg(args, 0), uintArg(args, 1), chainId)),
  'verify-signer-key-grant': (_, draft, args) =>
    hasGrant(draft, principalArg(args, 0), bytesArg(args, 1))
      ? ok(bool(true))
      : err(uint(stakingErrors.SIGNER_KEY_GRANT_NOT_FOUND)),
  'get-signer-set-first-item-for-cycle': (_, draft, args) =>
    optional(draft.entry('signer-set-ll-first-for-cycle', args[0]!)),
  'get-signer-set-last-item-for-cycle': (_, draft, args) =>
    optional(draft.entry('signer-set-ll-last-for-cycle', args[0]!)),
  'get-signer-set-item-for-cycle': (_, draft, args) =>
    optional(draft.entry('signer-set-ll-for-cycle', { cycle: args[1]!, signer: args[0]! })),
  'get-signer-set-next-item-for-cycle': (_, draft, args) =>
    name(linksOf(draft, uintArg(args, 1), principalArg(args, 0))?.next),
  'get-signer-set-prev-item-for-cycle': (_, draft, args) =>
    name(linksOf(draft, uintArg(args, 1), principalArg(args, 0))?.prev),
  'signer-set-contains-for-cycle': (_, draft, args) =>
    bool(linksOf(draft, uintArg(args, 1), principalArg(args, 0)) !== undefined),
  'get-rewards': (context, draft) => uint(rewardsHeld(context, draft)),
  'get-new-rewards': (context, draft) => uint(newRewards(context, draft)),
  'get-reserve-balance': (_, draft) => uint(draft.uintVariable('reserve-balance')),
  'get-last-accounted-rewards-only': (_, draft) => uint(draft.uintVariable('last-accounted-rewards-only')),
  'get-last-reward-compute-height': (_, draft) => uint(draft.uintVariable('last-reward-compute-height')),
  'get-earned': (_, draft, args) => uint(signerEarned(draft, poolAt(args, 1), principalArg(args, 0))),
  'get-earned-staker-rewards': (_, draft, args) =>
    uint(stakerEarned(draft, poolAt(args, 1), principalArg(args, 0), principalArg(args, 3))),
  'compute-earned-rewards'(_, __, args) {
    const [shares, current, paid, pending] = [0, 1, 2, 3].map(i => uintArg(args, i)) as [
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    if (paid > current) throw new VmFailure('ArithmeticUnderflow');
    return boundedUint(earnedBy(shares, current, paid, pending));
  },
  'get-rewards-per-token-for-cycle': ofPool('rewards-per-token-for-cycle'),
  'get-total-shares-staked-for-cycle': ofPool('total-shares-staked-for-cycle'),
  'get-signer-shares-staked-for-cycle': ofSigner('signer-shares-staked-for-cycle'),
  'get-signer-rewards-per-token-for-cycle': ofSigner('signer-rewards-per-token-for-cycle'),
  'get-signer-rewards-per-token-settled-for-cycle': ofSigner('signer-rewards-per-token-settled-for-cycle'),
  'get-signer-unclaimed-rewards-for-cycle': ofSigner('signer-unclaimed-rewards-for-cycle'),
  'get-staker-rewards-per-token-settled-for-cycle': ofStaker('staker-rewards-per-token-settled-for-cycle'),
  'get-staker-unclaimed-rewards-for-cycle': ofStaker('staker-unclaimed-rewards-for-cycle'),
  // The only function whose arguments begin with the staker and end with the signer.
  'get-staker-shares-staked-for-cycle': numberOf('staker-shares-staked-for-cycle', args =>
    stakerKey(poolAt(args, 1), principalArg(args, 3), principalArg(args, 0)),
  ),
  clamp(_, __, args) {
    const [value, least, most] = [uintArg(args, 0), uintArg(args, 1), uintArg(args, 2)];
    if (value < least) return uint(least);
    const isTooLarge = value > most;
    return uint(isTooLarge ? most : value);
  },
  'reverse-buff32': (_, __, args) => buffer(bytesArg(args, 0).toReversed()),
  'get-reversed-txid': (_, __, args) => buffer(sha256(sha256(bytesArg(args, 0))).toReversed()),
  // There is no Bitcoin chain: no header is known.
  'get-bc-h-hash': () => none,
  'verify-block-header': () => bool(false),
};

/** The read-only functions of pox-5, without the helpers that build or parse Bitcoin scripts and transactions. */
export const stakingReads: Record<string, Run> = Object.fromEntries(
  Object.entries(reads).map(([functionName, read]): [string, Run] => [
    functionName,
    (context, args): Outcome => ({ result: read(context, stakingDraft(context, context.contract), args) }),
  ]),
);
