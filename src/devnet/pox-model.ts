import type { AbiType } from '../codec/abi.ts';
import type { ClarityValue } from '../codec/clarity.ts';
import { bool, err, int, none, ok, principal, some, stringAscii, tuple, uint } from '../codec/clarity-build.ts';
import { encodeClarity } from '../codec/clarity-encode.ts';
import { bareHex } from '../codec/hex.ts';
import type { Visit, Write } from './contract-model.ts';
import {
  bytesArg,
  type ContractModel,
  entryKey,
  type Outcome,
  principalArg,
  recall,
  uintArg,
} from './contract-model.ts';
import { cycleLength } from './execution.ts';
import { poxSource } from './pox-source.ts';

/** The reward cycle of a burn height. */
export const cycleOf = (burnHeight: number) => Math.floor(burnHeight / cycleLength);

/** Where the weight of a signer in a cycle is remembered. */
export const signerPrefix = (contract: string, cycle: number) => `${contract} signer ${cycle} `;

const address: AbiType = {
  tuple: [
    { name: 'hashbytes', type: { buffer: { length: 32 } } },
    { name: 'version', type: { buffer: { length: 1 } } },
  ],
};
const answer = (type: AbiType): AbiType => ({ response: { ok: type, error: 'int128' } });
const lockAnswer: AbiType = {
  tuple: [
    { name: 'lock-amount', type: 'uint128' },
    { name: 'stacker', type: 'principal' },
    { name: 'unlock-burn-height', type: 'uint128' },
  ],
};
const signerArgs: [string, AbiType][] = [
  ['signer-sig', { optional: { buffer: { length: 65 } } }],
  ['signer-key', { buffer: { length: 33 } }],
  ['max-amount', 'uint128'],
  ['auth-id', 'uint128'],
];
const poxError = (code: number): Outcome => ({ result: err(int(code)) });

/** The print that the node adds to a call: the account before it, and what the call says. */
function notice({ state, contract }: Visit, name: string, stacker: string, data: Record<string, ClarityValue>) {
  const value = ok(
    tuple({
      name: stringAscii(name),
      stacker: principal(stacker),
      balance: uint(state.spendable(stacker)),
      locked: uint(state.locked.get(stacker) ?? 0n),
      'burnchain-unlock-height': uint(state.unlocks.get(stacker) ?? 0),
      data: tuple(data),
    }),
  );
  return { kind: 'print' as const, contract, value: encodeClarity(value) };
}

const signerFields = (args: readonly ClarityValue[], from: number) => ({
  'signer-sig': args[from]!,
  'signer-key': args[from + 1]!,
  'max-amount': args[from + 2]!,
  'auth-id': args[from + 3]!,
});

function lock(visit: Visit, stacker: string, amount: bigint, period: number) {
  const start = cycleOf(visit.burnHeight) + 1;
  const unlockHeight = (start + period) * cycleLength;
  const result = tuple({
    'lock-amount': uint(amount),
    stacker: principal(stacker),
    'unlock-burn-height': uint(unlockHeight),
  });
  const data = {
    'lock-amount': uint(amount),
    'lock-period': uint(period),
    'start-burn-height': uint(visit.burnHeight),
    'unlock-burn-height': uint(unlockHeight),
    'start-cycle-id': uint(start),
    'end-cycle-id': some(uint(start + period)),
  };
  const event = { kind: 'stx_lock' as const, principal: stacker, amount, unlockHeight, contract: visit.contract };
  return { start, result, data, event };
}

function refusalOf({ state }: Visit, stacker: string, amount: bigint, period: bigint): Outcome | undefined {
  if (period < 1n || period > 12n) return poxError(2);
  if (state.locked.has(stacker)) return poxError(3);
  return amount === 0n || state.spendable(stacker) < amount ? poxError(1) : undefined;
}

/** More weight of a signer in some cycles. */
function weigh({ state, contract }: Visit, key: Uint8Array, amount: bigint, from: number, cycles: number): Write[] {
  return Array.from({ length: cycles }, (_, i) => {
    const place = `${signerPrefix(contract, from + i)}${bareHex(key)}`;
    const had = recall(state, place);
    return { key: place, value: uint((had?.type === 'uint' ? had.value : 0n) + amount) };
  });
}

const delegationKey = (contract: string, who: string) =>
  entryKey(contract, 'delegation-state', tuple({ stacker: principal(who) }));
const partialKey = (contract: string, pool: string, poxAddress: ClarityValue, cycle: number) =>
  entryKey(
    contract,
    'partial-stacked-by-cycle',
    tuple({ 'pox-addr': poxAddress, 'reward-cycle': uint(cycle), sender: principal(pool) }),
  );

const stackedIn = (value: ClarityValue | undefined): bigint => {
  const amount = value?.type === 'tuple' ? value.entries.find(e => e.name === 'stacked-amount')?.value : undefined;
  return amount?.type === 'uint' ? amount.value : 0n;
};

/** Stacking by pox-4: alone, or through a pool that one delegates to. */
export const poxModel: ContractModel = {
  name: 'pox-4',
  source: poxSource,
  functions: {
    'stack-stx': {
      access: 'public',
      args: [
        ['amount-ustx', 'uint128'],
        ['pox-addr', address],
        ['start-burn-ht', 'uint128'],
        ['lock-period', 'uint128'],
        ...signerArgs,
      ],
      returns: answer(lockAnswer),
      run(visit, args) {
        const [amount, period] = [uintArg(args, 0), uintArg(args, 3)];
        const refused = refusalOf(visit, visit.sender, amount, period);
        if (refused) return refused;
        const { start, result, data, event } = lock(visit, visit.sender, amount, Number(period));
        const told = { ...data, 'pox-addr': args[1]!, ...signerFields(args, 4) };
        return {
          result: ok(result),
          events: [notice(visit, 'stack-stx', visit.sender, told), event],
          writes: weigh(visit, bytesArg(args, 5), amount, start, Number(period)),
        };
      },
    },
    'delegate-stx': {
      access: 'public',
      args: [
        ['amount-ustx', 'uint128'],
        ['delegate-to', 'principal'],
        ['until-burn-ht', { optional: 'uint128' }],
        ['pox-addr', { optional: address }],
      ],
      returns: answer('bool'),
      run(visit, args) {
        const key = delegationKey(visit.contract, visit.sender);
        if (recall(visit.state, key)) return poxError(20);
        const data = {
          'amount-ustx': args[0]!,
          'delegate-to': args[1]!,
          'unlock-burn-height': args[2]!,
          'pox-addr': args[3]!,
          'start-cycle-id': uint(cycleOf(visit.burnHeight) + 1),
          'end-cycle-id': none,
        };
        const value = tuple({
          'amount-ustx': args[0]!,
          'delegated-to': args[1]!,
          'pox-addr': args[3]!,
          'until-burn-ht': args[2]!,
        });
        return {
          result: ok(bool(true)),
          events: [notice(visit, 'delegate-stx', visit.sender, data)],
          writes: [{ key, value }],
        };
      },
    },
    'revoke-delegate-stx': {
      access: 'public',
      args: [],
      returns: answer('bool'),
      run(visit) {
        const key = delegationKey(visit.contract, visit.sender);
        const held = recall(visit.state, key);
        if (held?.type !== 'tuple') return poxError(34);
        const pool = held.entries.find(entry => entry.name === 'delegated-to')!.value;
        const cycles = { 'start-cycle-id': uint(cycleOf(visit.burnHeight) + 1), 'end-cycle-id': none };
        return {
          result: ok(bool(true)),
          events: [notice(visit, 'revoke-delegate-stx', visit.sender, { 'delegate-to': pool, ...cycles })],
          writes: [{ key, value: undefined }],
        };
      },
    },
    'delegate-stack-stx': {
      access: 'public',
      args: [
        ['stacker', 'principal'],
        ['amount-ustx', 'uint128'],
        ['pox-addr', address],
        ['start-burn-ht', 'uint128'],
        ['lock-period', 'uint128'],
      ],
      returns: answer(lockAnswer),
      run(visit, args) {
        const { state, contract, sender } = visit;
        const [stacker, amount, period] = [principalArg(args, 0), uintArg(args, 1), uintArg(args, 4)];
        const held = recall(state, delegationKey(contract, stacker));
        const entries = held?.type === 'tuple' ? new Map(held.entries.map(e => [e.name, e.value])) : undefined;
        const limit = entries?.get('amount-ustx');
        if (!entries || principalArg([entries.get('delegated-to')!], 0) !== sender) return poxError(9);
        if (limit?.type !== 'uint' || limit.value < amount) return poxError(22);
        const refused = refusalOf(visit, stacker, amount, period);
        if (refused) return refused;
        const { start, result, data, event } = lock(visit, stacker, amount, Number(period));
        const told = { ...data, 'pox-addr': args[2]!, delegator: principal(sender), stacker: principal(stacker) };
        const writes = Array.from({ length: Number(period) }, (_, i): Write => {
          const key = partialKey(contract, sender, args[2]!, start + i);
          return { key, value: tuple({ 'stacked-amount': uint(stackedIn(recall(state, key)) + amount) }) };
        });
        return { result: ok(result), events: [notice(visit, 'delegate-stack-stx', stacker, told), event], writes };
      },
    },
    'stack-aggregation-commit': {
      access: 'public',
      args: [['pox-addr', address], ['reward-cycle', 'uint128'], ...signerArgs],
      returns: answer('bool'),
      run(visit, args) {
        const { state, contract, sender } = visit;
        const cycle = Number(uintArg(args, 1));
        const key = partialKey(contract, sender, args[0]!, cycle);
        const amount = stackedIn(recall(state, key));
        if (amount === 0n) return poxError(4);
        if (cycle <= cycleOf(visit.burnHeight)) return poxError(35);
        const data = {
          'pox-addr': args[0]!,
          'reward-cycle': args[1]!,
          'amount-ustx': uint(amount),
          delegator: principal(sender),
          ...signerFields(args, 2),
          'start-cycle-id': args[1]!,
          'end-cycle-id': some(uint(cycle + 1)),
        };
        return {
          result: ok(bool(true)),
          events: [notice(visit, 'stack-aggregation-commit', sender, data)],
          writes: [{ key, value: undefined }, ...weigh(visit, bytesArg(args, 3), amount, cycle, 1)],
        };
      },
    },
    'current-pox-reward-cycle': {
      access: 'read_only',
      args: [],
      returns: 'uint128',
      run: ({ burnHeight }) => ({ result: uint(cycleOf(burnHeight)) }),
    },
    'get-delegation-info': {
      access: 'read_only',
      args: [['stacker', 'principal']],
      returns: { optional: 'bool' },
      run({ state, contract }, args) {
        const held = recall(state, delegationKey(contract, principalArg(args, 0)));
        return { result: held ? some(held) : none };
      },
    },
    'get-stacker-info': {
      access: 'read_only',
      args: [['stacker', 'principal']],
      returns: { optional: lockAnswer },
      run({ state }, args) {
        const stacker = principalArg(args, 0);
        const amount = state.locked.get(stacker);
        if (amount === undefined) return { result: none };
        const unlock = uint(state.unlocks.get(stacker) ?? 0);
        const info = { 'lock-amount': uint(amount), stacker: principal(stacker), 'unlock-burn-height': unlock };
        return { result: some(tuple(info)) };
      },
    },
  },
};
