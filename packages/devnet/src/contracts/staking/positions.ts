import { none, principal, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import type { ChainEvent } from '../../chain/event.ts';
import { bytesArg, type CallContext, fieldsIn, principalArg, uintArg } from '../contract-model.ts';
import type { Draft } from '../draft.ts';
import { cycleOf, isPreparing, slotThreshold } from '../pox/cycle.ts';
import { bondEndCycle, precision } from './bond-period.ts';
import { demand } from './errors.ts';

/** A stake of STX alone. */
export type Stake = { amount: bigint; firstCycle: bigint; cycles: bigint; signer: string };

/** A position in a bond: STX, and bitcoin on its own chain (L1) or as sBTC. */
export type Membership = { bond: bigint; sats: bigint; amount: bigint; l1: boolean; signer: string };

/** Rewards of a cycle are shared among stakers of STX alone, or among the holders of a bond. */
export type Pool = { cycle: bigint; bond: bigint | undefined };

const fieldReader = (value: ClarityValue | undefined) => {
  const fields = fieldsIn(value);
  return (
    fields && {
      number: (name: string) => uintArg([fields.get(name)!], 0),
      text: (name: string) => principalArg([fields.get(name)!], 0),
      flag: (name: string) => {
        const flag = fields.get(name);
        return flag?.type === 'bool' && flag.value;
      },
    }
  );
};

/** The stake of an account, unless it has ended. */
export function stakeOf(draft: Draft, staker: string, burnHeight: number): Stake | undefined {
  const fields = fieldReader(draft.entry('staker-info', principal(staker)));
  if (!fields) return undefined;
  const [firstCycle, cycles] = [fields.number('first-reward-cycle'), fields.number('num-cycles')];
  if (firstCycle + cycles <= BigInt(cycleOf(burnHeight))) return undefined;
  return { amount: fields.number('amount-ustx'), firstCycle, cycles, signer: fields.text('signer') };
}

export function setStake(draft: Draft, staker: string, stake: Stake | undefined): void {
  const value = stake && {
    'amount-ustx': uint(stake.amount),
    'first-reward-cycle': uint(stake.firstCycle),
    'num-cycles': uint(stake.cycles),
    signer: principal(stake.signer),
  };
  draft.setEntry('staker-info', principal(staker), value && tuple(value));
}

/** The position of an account in a bond, also after the end of the bond. */
export function storedMembership(draft: Draft, staker: string): Membership | undefined {
  const fields = fieldReader(draft.entry('protocol-bond-memberships', principal(staker)));
  return (
    fields && {
      bond: fields.number('bond-index'),
      sats: fields.number('amount-sats'),
      amount: fields.number('amount-ustx'),
      l1: fields.flag('is-l1-lock'),
      signer: fields.text('signer'),
    }
  );
}

/** The position of an account in a bond that has not ended. */
export function membershipOf(draft: Draft, staker: string, burnHeight: number): Membership | undefined {
  const stored = storedMembership(draft, staker);
  return stored && bondEndCycle(stored.bond) > BigInt(cycleOf(burnHeight)) ? stored : undefined;
}

export const membershipValue = ({ bond, sats, amount, l1, signer }: Membership): ClarityValue =>
  tuple({
    'amount-sats': uint(sats),
    'amount-ustx': uint(amount),
    'bond-index': uint(bond),
    'is-l1-lock': { type: 'bool', value: l1 },
    signer: principal(signer),
  });

export const setMembership = (draft: Draft, staker: string, membership: Membership) =>
  draft.setEntry('protocol-bond-memberships', principal(staker), membershipValue(membership));

const optional = (bond: bigint | undefined) => (bond === undefined ? none : some(uint(bond)));

/** The keys of the reward maps. */
export const poolKey = ({ cycle, bond }: Pool) => ({ 'bond-index': optional(bond), 'reward-cycle': uint(cycle) });
export const signerKey = (pool: Pool, signer: string) => ({ ...poolKey(pool), signer: principal(signer) });
export const stakerKey = (pool: Pool, signer: string, staker: string) => ({
  ...signerKey(pool, signer),
  staker: principal(staker),
});

/** The share of an owner of shares in what a pool received since its last settlement. */
export const earnedBy = (shares: bigint, current: bigint, paid: bigint, pending: bigint): bigint =>
  pending + (shares * (current - paid)) / precision;

/** Credits a signer and a staker with what their shares have earned, before the shares change. */
function settle(draft: Draft, pool: Pool, signer: string, staker: string): void {
  const rate = draft.number('rewards-per-token-for-cycle', poolKey(pool));
  if (rate === 0n) return;
  const key = signerKey(pool, signer);
  const shares = draft.number('signer-shares-staked-for-cycle', key);
  if (shares > 0n) {
    const settled = draft.number('signer-rewards-per-token-settled-for-cycle', key);
    draft.add('signer-unclaimed-rewards-for-cycle', key, earnedBy(shares, rate, settled, 0n));
    draft.setNumber('signer-rewards-per-token-settled-for-cycle', key, rate);
    draft.setNumber('signer-rewards-per-token-for-cycle', key, rate);
  }
  const own = stakerKey(pool, signer, staker);
  const current = draft.number('signer-rewards-per-token-for-cycle', key);
  const paid = draft.number('staker-rewards-per-token-settled-for-cycle', own);
  const held = draft.number('staker-shares-staked-for-cycle', own);
  draft.add('staker-unclaimed-rewards-for-cycle', own, earnedBy(held, current, paid, 0n));
  draft.setNumber('staker-rewards-per-token-settled-for-cycle', own, current);
}

/** The signer of a staker in a cycle. */
export const signerIn = (draft: Draft, staker: string, cycle: bigint): string | undefined =>
  fieldReader(draft.entry('staker-signer-cycle-memberships', { cycle: uint(cycle), staker: principal(staker) }))?.text(
    'signer',
  );

/** Adds shares of a staker to a pool, or takes them away. */
export function addShares(draft: Draft, pool: Pool, signer: string, staker: string, change: bigint): void {
  settle(draft, pool, signer, staker);
  draft.add('total-shares-staked-for-cycle', poolKey(pool), change);
  draft.add('signer-shares-staked-for-cycle', signerKey(pool, signer), change);
  draft.add('staker-shares-staked-for-cycle', stakerKey(pool, signer, staker), change);
}

/** Adds STX of a staker to a signer in some cycles; STX that stand alone also earn rewards. */
export function delegate(
  draft: Draft,
  { staker, signer, amount, alone }: { staker: string; signer: string; amount: bigint; alone: boolean },
  from: bigint,
  to: bigint,
): void {
  for (let cycle = from; cycle < to; cycle++) {
    const key = { cycle: uint(cycle), signer: principal(signer) };
    draft.add('signer-delegated-per-cycle', key, amount);
    draft.add('ustx-delegated-per-cycle', uint(cycle), amount);
    draft.setEntry(
      'staker-signer-cycle-memberships',
      { cycle: uint(cycle), staker: principal(staker) },
      tuple({ 'amount-ustx': uint(amount), signer: principal(signer) }),
    );
    if (alone) addShares(draft, { cycle, bond: undefined }, signer, staker, amount);
    if (draft.number('signer-delegated-per-cycle', key) >= slotThreshold) enterSet(draft, cycle, signer);
  }
}

/** Takes the STX of a staker from its signers in some cycles. */
export function undelegate(draft: Draft, staker: string, alone: boolean, from: bigint, to: bigint): void {
  for (let cycle = from; cycle < to; cycle++) {
    const key = { cycle: uint(cycle), staker: principal(staker) };
    const fields = fieldReader(draft.entry('staker-signer-cycle-memberships', key));
    if (!fields) continue;
    const [amount, signer] = [fields.number('amount-ustx'), fields.text('signer')];
    const signed = { cycle: uint(cycle), signer: principal(signer) };
    draft.setEntry('staker-signer-cycle-memberships', key, undefined);
    draft.add('signer-delegated-per-cycle', signed, -amount);
    draft.add('ustx-delegated-per-cycle', uint(cycle), -amount);
    if (alone) addShares(draft, { cycle, bond: undefined }, signer, staker, -amount);
    if (draft.number('signer-delegated-per-cycle', signed) < slotThreshold) leaveSet(draft, cycle, signer);
  }
}

const linkKey = (cycle: bigint, signer: string) => ({ cycle: uint(cycle), signer: principal(signer) });

/** The neighbours of a signer in the list of a cycle. */
export function linksOf(draft: Draft, cycle: bigint, signer: string) {
  const fields = fieldsIn(draft.entry('signer-set-ll-for-cycle', linkKey(cycle, signer)));
  if (!fields) return undefined;
  const [next, prev] = ['next', 'prev'].map(name => {
    const link = fields.get(name);
    return link?.type === 'some' ? principalArg([link.value], 0) : undefined;
  });
  return { next, prev };
}

const setLinks = (
  draft: Draft,
  cycle: bigint,
  signer: string,
  links: { next?: string | undefined; prev?: string | undefined },
) => {
  const link = (to: string | undefined) => (to === undefined ? none : some(principal(to)));
  draft.setEntry(
    'signer-set-ll-for-cycle',
    linkKey(cycle, signer),
    tuple({ next: link(links.next), prev: link(links.prev) }),
  );
};

const endOf = (draft: Draft, end: 'first' | 'last', cycle: bigint) => {
  const value = draft.entry(`signer-set-ll-${end}-for-cycle`, uint(cycle));
  return value && principalArg([value], 0);
};

const setEnd = (draft: Draft, end: 'first' | 'last', cycle: bigint, signer: string | undefined) =>
  draft.setEntry(`signer-set-ll-${end}-for-cycle`, uint(cycle), signer === undefined ? undefined : principal(signer));

/** Appends a signer to the list of a cycle. */
function enterSet(draft: Draft, cycle: bigint, signer: string): void {
  if (linksOf(draft, cycle, signer)) return;
  const last = endOf(draft, 'last', cycle);
  if (last === undefined) setEnd(draft, 'first', cycle, signer);
  else setLinks(draft, cycle, last, { ...linksOf(draft, cycle, last), next: signer });
  setLinks(draft, cycle, signer, { prev: last });
  setEnd(draft, 'last', cycle, signer);
}

function leaveSet(draft: Draft, cycle: bigint, signer: string): void {
  const links = linksOf(draft, cycle, signer);
  if (!links) return;
  const { next, prev } = links;
  if (prev === undefined) setEnd(draft, 'first', cycle, next);
  else setLinks(draft, cycle, prev, { ...linksOf(draft, cycle, prev), next });
  if (next === undefined) setEnd(draft, 'last', cycle, prev);
  else setLinks(draft, cycle, next, { ...linksOf(draft, cycle, next), prev });
  draft.setEntry('signer-set-ll-for-cycle', linkKey(cycle, signer), undefined);
}

/** Demands that a signer manager is registered and that its key is still granted. */
export function demandSigner(draft: Draft, signer: string): void {
  const key = draft.entry('signers', principal(signer));
  demand(key !== undefined, 'SIGNER_NOT_FOUND');
  demand(hasGrant(draft, signer, bytesArg([key], 0)), 'SIGNER_KEY_GRANT_NOT_FOUND');
}

export const hasGrant = (draft: Draft, signer: string, key: Uint8Array): boolean =>
  draft.entry('signer-key-grants', {
    'signer-key': { type: 'buffer', bytes: key },
    'signer-manager': principal(signer),
  }) !== undefined;

export const demandRewardPhase = ({ burnHeight }: CallContext) =>
  demand(!isPreparing(burnHeight), 'STAKE_IN_PREPARE_PHASE');

/** A print of pox-5. */
export const announced = (contract: string, topic: string, fields: Record<string, ClarityValue>): ChainEvent => ({
  kind: 'print',
  contract,
  value: encodeClarity(tuple({ topic: stringAscii(topic), ...fields })),
});

/** The event of a lock. */
export const locked = (
  { contract }: CallContext,
  staker: string,
  amount: bigint,
  unlockHeight: bigint,
): ChainEvent => ({
  kind: 'stx_lock',
  principal: staker,
  amount,
  unlockHeight: Number(unlockHeight),
  contract,
});
