import { bool, buffer, list, none, principal, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { sha256 } from '@cairn-stacks/codec/hash';
import { bareHex } from '@cairn-stacks/codec/hex';
import type { ChainEvent } from '../../chain/event.ts';
import { bytesArg, type CallContext, fieldsIn, principalArg, uintArg } from '../contract-model.ts';
import type { Draft } from '../draft.ts';
import { cycleOf } from '../pox/cycle.ts';
import { sbtcAsset } from '../sbtc/sbtc-address.ts';
import { bondEndCycle, bondFirstCycle, bondGap, bondUnlockHeight, cycleStart, minimumStx } from './bond-period.ts';
import { demand } from './errors.ts';
import {
  addShares,
  announced,
  delegate,
  demandRewardPhase,
  demandSigner,
  locked,
  type Membership,
  membershipOf,
  setMembership,
  signerIn,
  stakeOf,
  storedMembership,
  undelegate,
} from './positions.ts';
import type { StakingRun } from './run.ts';
import { demandFree, demandRollover } from './stake-functions.ts';

/** The terms of a bond as the contract stores them. */
export const bondOf = (draft: Draft, bond: bigint) => fieldsIn(draft.entry('protocol-bonds', uint(bond)));

const adminOf = (draft: Draft) => principalArg([draft.variable('bond-admin')!], 0);

/** The cycles of a position that are still to come. */
const comingCycles = ({ burnHeight }: CallContext, bond: bigint) => {
  const next = BigInt(cycleOf(burnHeight)) + 1n;
  const first = bondFirstCycle(bond);
  const hasBegun = first < next;
  return { from: hasBegun ? next : first, to: bondEndCycle(bond) };
};

/** Takes satoshis from the shares of a position, from the cycle on that runs. */
function releaseSats(draft: Draft, { burnHeight }: CallContext, staker: string, bond: bigint, sats: bigint): void {
  const [current, first] = [BigInt(cycleOf(burnHeight)), bondFirstCycle(bond)];
  const hasBegun = first < current;
  for (let cycle = hasBegun ? current : first; cycle < bondEndCycle(bond); cycle++) {
    const signer = signerIn(draft, staker, cycle);
    if (signer !== undefined) addShares(draft, { cycle, bond }, signer, staker, -sats);
  }
}

/** Adds satoshis to the shares of a position, or takes them away. */
function changeSats(
  draft: Draft,
  context: CallContext,
  staker: string,
  { bond, signer }: Membership,
  change: bigint,
): void {
  const { from, to } = comingCycles(context, bond);
  for (let cycle = from; cycle < to; cycle++) addShares(draft, { cycle, bond }, signer, staker, change);
}

const sbtcMoved = (mainnet: boolean, sender: string, recipient: string, amount: bigint): ChainEvent[] =>
  amount === 0n ? [] : [{ kind: 'ft_transfer', asset: sbtcAsset(mainnet), sender, recipient, amount }];

/** Bonds: bitcoin with STX beside them, for a fixed time and yield. */
export const bondFunctions: Record<string, StakingRun> = {
  'setup-bond'({ contract, caller, burnHeight }, draft, args) {
    const bond = uintArg(args, 0);
    const [targetRate, stxValueRatio, minUstxRatio, earlyUnlock] = [args[1]!, args[2]!, args[3]!, args[4]!];
    demand(caller === adminOf(draft), 'UNAUTHORIZED');
    const start = cycleStart(bondFirstCycle(bond));
    demand(start - cycleStart(BigInt(bondGap)) <= BigInt(burnHeight), 'CANNOT_SETUP_BOND_TOO_SOON');
    demand(BigInt(burnHeight) < start, 'CANNOT_SETUP_BOND_TOO_LATE');
    demand(bondOf(draft, bond) === undefined, 'BOND_ALREADY_SETUP');
    const terms = {
      'early-unlock-bytes': earlyUnlock,
      'min-ustx-ratio': minUstxRatio,
      'stx-value-ratio': stxValueRatio,
      'target-rate': targetRate,
    };
    draft.setEntry('protocol-bonds', uint(bond), tuple(terms));
    const events = [
      announced(contract, 'setup-bond', {
        ...terms,
        'bond-index': uint(bond),
        'bond-start-height': uint(start),
        'first-reward-cycle': uint(bondFirstCycle(bond)),
        'unlock-burn-height': uint(cycleStart(bondEndCycle(bond))),
        'unlock-cycle': uint(bondEndCycle(bond)),
      }),
    ];
    let sum = 0n;
    for (const item of args[5]?.type === 'list' ? args[5].items : []) {
      const fields = fieldsIn(item)!;
      const [staker, maxSats] = [fields.get('staker')!, fields.get('max-sats')!];
      const key = { 'bond-index': uint(bond), staker };
      demand(draft.entry('protocol-bond-allowances', key) === undefined, 'STAKER_ALREADY_ADDED');
      draft.setEntry('protocol-bond-allowances', key, maxSats);
      events.push(announced(contract, 'add-to-allowlist', { ...key, 'max-sats': maxSats }));
      sum += uintArg([maxSats], 0);
    }
    return { result: { ...terms, 'bond-index': uint(bond), 'max-allocation-sats': uint(sum) }, events };
  },
  'register-for-bond'(context, draft, args) {
    const { sender: staker, state, burnHeight, contract, mainnet } = context;
    const [bond, signer, amount, lockup] = [uintArg(args, 0), principalArg(args, 1), uintArg(args, 2), args[3]!];
    const { l1, sats, outpoints } = lockupOf(lockup, bond);
    const terms = bondOf(draft, bond);
    demand(terms !== undefined, 'BOND_NOT_FOUND');
    const allowance = draft.entry('protocol-bond-allowances', { 'bond-index': uint(bond), staker: principal(staker) });
    demand(allowance !== undefined, 'NOT_ALLOWLISTED');
    demandRewardPhase(context);
    const term = (name: string) => uintArg([terms.get(name)!], 0);
    demand(amount >= minimumStx(sats, term('stx-value-ratio'), term('min-ustx-ratio')), 'INSUFFICIENT_STX');
    const [firstCycle, unlockCycle] = [bondFirstCycle(bond), bondEndCycle(bond)];
    demand(BigInt(burnHeight) < cycleStart(firstCycle), 'BOND_ALREADY_STARTED');
    const stake = stakeOf(draft, staker, burnHeight);
    demand(stake === undefined || stake.firstCycle + stake.cycles <= firstCycle, 'ALREADY_STAKED');
    demand(sats <= uintArg([allowance], 0), 'TOO_MUCH_SATS');
    demand((state.stx.get(staker) ?? 0n) >= amount && amount > 0n, 'INSUFFICIENT_STX');
    demandSigner(draft, signer);
    const before = membershipOf(draft, staker, burnHeight);
    demandRollover(context, before, firstCycle, 'ALREADY_REGISTERED');
    demandFree(context, staker);
    // A holder that moves from an ending bond pays, or gets back, only the difference.
    const [held, wanted] = [before && !before.l1 ? before.sats : 0n, l1 ? 0n : sats];
    const moved =
      wanted >= held
        ? sbtcMoved(mainnet, staker, contract, wanted - held)
        : sbtcMoved(mainnet, contract, staker, held - wanted);
    demand(wanted <= held || state.held(staker, sbtcAsset(mainnet)) >= wanted - held, 'INSUFFICIENT_STX');
    draft.setVariable('total-sbtc-staked', uint(draft.uintVariable('total-sbtc-staked') + wanted - held));
    const membership: Membership = { bond, sats, amount, l1, signer };
    setMembership(draft, staker, membership);
    draft.add('protocol-bonds-total-staked', uint(bond), sats);
    changeSats(draft, context, staker, membership, sats);
    delegate(draft, { staker, signer, amount, alone: false }, firstCycle, unlockCycle);
    const fields = {
      'amount-ustx': uint(amount),
      'bond-index': uint(bond),
      'btc-lockup': tuple({ txs: l1 ? some(list(outpoints)) : none, type: stringAscii(l1 ? 'l1' : 'l2') }),
      'first-reward-cycle': uint(firstCycle),
      'is-l1-lock': bool(l1),
      'sats-total': uint(sats),
      signer: principal(signer),
      staker: principal(staker),
      'unlock-burn-height': uint(cycleStart(unlockCycle)),
      'unlock-cycle': uint(unlockCycle),
    };
    return {
      result: fields,
      events: [
        ...moved,
        announced(contract, 'register-for-bond', fields),
        locked(context, staker, amount, cycleStart(unlockCycle)),
      ],
    };
  },
  'update-bond-registration'(context, draft, args) {
    const { sender: staker, burnHeight, contract } = context;
    const [signer, oldSigner] = [principalArg(args, 0), principalArg(args, 1)];
    const membership = membershipOf(draft, staker, burnHeight);
    demand(membership !== undefined, 'NOT_BOND_PARTICIPANT');
    demandRewardPhase(context);
    demand(membership.signer === oldSigner, 'INVALID_OLD_SIGNER_MANAGER');
    demand(signer !== oldSigner, 'UPDATE_BOND_SAME_SIGNER');
    demandSigner(draft, signer);
    const { bond, sats, amount, l1 } = membership;
    const { from, to } = comingCycles(context, bond);
    changeSats(draft, context, staker, membership, -sats);
    undelegate(draft, staker, false, from, to);
    const changed = { ...membership, signer };
    setMembership(draft, staker, changed);
    changeSats(draft, context, staker, changed, sats);
    delegate(draft, { staker, signer, amount, alone: false }, from, to);
    const fields = {
      'amount-sats': uint(sats),
      'amount-ustx': uint(amount),
      'bond-index': uint(bond),
      'first-reward-cycle': uint(from),
      'is-l1-lock': bool(l1),
      'num-cycles': uint(to - from),
      'old-signer': principal(oldSigner),
      signer: principal(signer),
      staker: principal(staker),
    };
    return { result: fields, events: [announced(contract, 'update-bond-registration', fields)] };
  },
  'announce-l1-early-exit'(context, draft, args) {
    const { sender, caller, burnHeight, contract } = context;
    const staker = principalArg(args, 0);
    const membership = membershipOf(draft, staker, burnHeight);
    demand(membership !== undefined, 'NOT_BOND_PARTICIPANT');
    demandRewardPhase(context);
    demand(sender === staker && caller === staker, 'UNAUTHORIZED');
    demand(membership.l1, 'CANNOT_ANNOUNCE_L1_EARLY_UNLOCK');
    demand(membership.signer === principalArg(args, 1), 'INVALID_OLD_SIGNER_MANAGER');
    const { bond, sats, signer } = membership;
    const key = { 'bond-index': uint(bond), staker: principal(staker) };
    demand(draft.entry('protocol-bond-l1-early-exit-announced', key) === undefined, 'L1_EARLY_EXIT_ALREADY_ANNOUNCED');
    draft.setEntry('protocol-bond-l1-early-exit-announced', key, bool(true));
    releaseSats(draft, context, staker, bond, sats);
    draft.add('protocol-bonds-total-staked', uint(bond), -sats);
    setMembership(draft, staker, { ...membership, sats: 0n });
    const fields = { 'amount-sats-released': uint(sats), ...key, signer: principal(signer) };
    return { result: fields, events: [announced(contract, 'announce-l1-early-exit', fields)] };
  },
  'unstake-sbtc'(context, draft, args) {
    const { sender: staker, contract, mainnet, burnHeight } = context;
    const membership = storedMembership(draft, staker);
    const amount = uintArg(args, 1);
    demand(membership !== undefined, 'NOT_BOND_PARTICIPANT');
    demand(amount > 0n && amount <= membership.sats, 'INVALID_UNSTAKE_SBTC_AMOUNT');
    demandRewardPhase(context);
    demand(membership.signer === principalArg(args, 0), 'INVALID_OLD_SIGNER_MANAGER');
    demand(!membership.l1, 'CANNOT_UNSTAKE_SBTC');
    const { bond, signer } = membership;
    const left = membership.sats - amount;
    if (membershipOf(draft, staker, burnHeight)) releaseSats(draft, context, staker, bond, amount);
    draft.add('protocol-bonds-total-staked', uint(bond), -amount);
    draft.setVariable('total-sbtc-staked', uint(draft.uintVariable('total-sbtc-staked') - amount));
    setMembership(draft, staker, { ...membership, sats: left });
    const fields = {
      'amount-withdrawn-sats': uint(amount),
      'bond-index': uint(bond),
      'new-amount-sats': uint(left),
      signer: principal(signer),
      staker: principal(staker),
    };
    return {
      result: fields,
      events: [...sbtcMoved(mainnet, contract, staker, amount), announced(contract, 'unstake-sbtc', fields)],
    };
  },
};

/** The bitcoin of a registration. There is no Bitcoin chain, so that the amounts of a lock-up are taken without a proof. */
function lockupOf(lockup: ClarityValue, bond: bigint) {
  if (lockup.type === 'err') return { l1: false, sats: uintArg([lockup.value], 0), outpoints: [] };
  const outputs = lockup.type === 'ok' ? fieldsIn(lockup.value)?.get('outputs') : undefined;
  const seen = new Set<string>();
  let sats = 0n;
  const outpoints = (outputs?.type === 'list' ? outputs.items : []).map(output => {
    const fields = fieldsIn(output)!;
    const txId = sha256(sha256(bytesArg([fields.get('tx')!], 0))).toReversed();
    const index = fields.get('output-index')!;
    const id = `${bareHex(txId)} ${uintArg([index], 0)}`;
    demand(uintArg([fields.get('unlock-burn-height')!], 0) >= bondUnlockHeight(bond), 'INVALID_UNLOCK_HEIGHT');
    demand(!seen.has(id), 'DUPLICATE_LOCKUP_OUTPOINT');
    seen.add(id);
    sats += uintArg([fields.get('amount')!], 0);
    return tuple({ 'output-index': index, txid: buffer(txId) });
  });
  return { l1: true, sats, outpoints };
}
