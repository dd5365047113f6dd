/** The contract stores what a share earns in units of 10^-18. */
export const rewardPrecision = 10n ** 18n;

/** What a share of a pool receives when these rewards are shared out among so many; nothing where there are none. */
export const rateOf = (rewards: bigint, shares: bigint): bigint =>
  shares > 0n ? (rewards * rewardPrecision) / shares : 0n;

/** The least that all stakers of a signer must have in a cycle, in micro-STX, so that those with STX alone earn in it. */
export const leastDelegated = 50_000_000_000n;

/** What happens to the rewards of a staker in a cycle, with one signer and of one bond or none. */
export type RewardStep =
  /** A calculation: what each share received. */
  | { kind: 'rate'; rate: bigint }
  /** The signer fetched its rewards, or bitcoin of another of its stakers left the bond. */
  | { kind: 'settlement' }
  /** The shares of the staker from here on. */
  | { kind: 'shares'; shares: bigint }
  | { kind: 'claim'; sats: bigint };

/** Rewards in satoshis. */
export type StakerRewards = {
  shares: bigint;
  accrued: bigint;
  claimed: bigint;
  /** What the staker may claim now. */
  claimable: bigint;
  /** What was earned and the signer has not fetched. */
  awaitingSigner: bigint;
  /** What the staker would get if the signer fetched everything first. */
  due: bigint;
};

/** Rewards after these steps, in the order of the chain. Each amount is rounded down as often as the contract rounds it. */
export function sumRewards(shares: bigint, steps: Iterable<RewardStep>): StakerRewards {
  const earned = (from: bigint, to: bigint) => (own * (to - from)) / rewardPrecision;
  let own = shares;
  // What a share received in all; when the signer settled last; when the staker settled last; when the shares changed last.
  let [rate, signerRate, settled, changed] = [0n, 0n, 0n, 0n];
  let [accrued, claimed, pending] = [0n, 0n, 0n];
  for (const step of steps) {
    switch (step.kind) {
      case 'rate':
        rate += step.rate;
        break;
      case 'settlement':
        signerRate = rate;
        break;
      case 'shares':
        accrued += earned(changed, rate);
        signerRate = rate;
        pending += earned(settled, signerRate);
        [settled, changed, own] = [signerRate, rate, step.shares];
        break;
      case 'claim':
        claimed += step.sats;
        [settled, pending] = [signerRate, 0n];
        break;
    }
  }
  accrued += earned(changed, rate);
  const claimable = pending + earned(settled, signerRate);
  const awaitingSigner = accrued - claimed - claimable;
  return { shares: own, accrued, claimed, claimable, awaitingSigner, due: pending + earned(settled, rate) };
}
