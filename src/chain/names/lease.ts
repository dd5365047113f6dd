/** Blocks after the end of a lease in which only its owner may renew it. */
export const gracePeriod = 5000;

/** The fields of a name that decide when it ends. */
export type Lease = {
  /** Block at which the lease began; 0 where it began with the launch of the namespace. */
  leaseStart: number;
  /** Height that the contract itself gave; 0 when none. */
  renewal: number;
};

export type LeaseTerms = { lifetime: number; launchedAt: number };

/** The last block in which a name resolves: a height, `never`, or unknown where the namespace is. */
export function expiryOf({ leaseStart, renewal }: Lease, terms: LeaseTerms | undefined): number | 'never' | undefined {
  if (!terms) return renewal > 0 ? renewal : undefined;
  if (terms.lifetime === 0) return 'never';
  if (renewal > 0) return renewal;
  const start = leaseStart > 0 ? leaseStart : terms.launchedAt;
  return start > 0 ? start + terms.lifetime : undefined;
}

export type LeaseState = 'active' | 'grace' | 'expired';

/** The state of a lease at a height of its chain. */
export function leaseState(expiry: number | 'never' | undefined, height: number): LeaseState {
  if (expiry === 'never' || expiry === undefined || height <= expiry) return 'active';
  return height <= expiry + gracePeriod ? 'grace' : 'expired';
}
