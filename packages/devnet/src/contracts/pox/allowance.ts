import { AddressVersion, encodeAddress } from '@cairn-stacks/codec/address/c32';
import { bool, none, ok, principal, some, tuple } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { signerHash } from '@cairn-stacks/codec/keys';
import {
  bytesArg,
  type CallContext,
  entryKey,
  fieldsIn,
  principalArg,
  type Run,
  readData,
  uintArg,
} from '../contract-model.ts';
import { authorizationWrite, signerArguments } from './consent.ts';
import { cycleOf } from './cycle.ts';
import { poxError } from './errors.ts';
import { isLockPeriod } from './stacking.ts';

const allowanceKey = (contract: string, sender: string, caller: string) =>
  entryKey(
    contract,
    'allowance-contract-callers',
    tuple({ 'contract-caller': principal(caller), sender: principal(sender) }),
  );

/** The allowance of a sender for a contract: `{until-burn-ht}`. */
export const allowanceOf = ({ state, contract }: CallContext, sender: string, caller: string) =>
  readData(state, allowanceKey(contract, sender, caller));

/** True if the sender calls itself, or through a contract that it has allowed. */
export function isCallerAllowed(context: CallContext): boolean {
  const { sender, caller, burnHeight } = context;
  if (sender === caller) return true;
  const until = fieldsIn(allowanceOf(context, sender, caller))?.get('until-burn-ht');
  return (
    until !== undefined &&
    (until.type === 'none' || uintArg([(until as { value: ClarityValue }).value], 0) > burnHeight)
  );
}

/** The account of a public key. */
const accountOf = (key: Uint8Array, mainnet: boolean) =>
  encodeAddress(mainnet ? AddressVersion.mainnetSingleSig : AddressVersion.testnetSingleSig, signerHash(0, [key]));

/** What an account allows to contracts, and a signer to stackers. */
export const allowanceFunctions: Record<string, Run> = {
  'allow-contract-caller'({ contract, sender, caller }, args) {
    if (sender !== caller) return poxError('permissionDenied');
    const key = allowanceKey(contract, sender, principalArg(args, 0));
    return { result: ok(bool(true)), writes: [{ key, value: tuple({ 'until-burn-ht': args[1] ?? none }) }] };
  },
  'disallow-contract-caller'(context, args) {
    const { contract, sender, caller, state } = context;
    if (sender !== caller) return poxError('permissionDenied');
    const key = allowanceKey(contract, sender, principalArg(args, 0));
    return { result: ok(bool(state.data.has(key))), writes: [{ key, value: undefined }] };
  },
  'get-allowance-contract-callers'(context, args) {
    const allowance = allowanceOf(context, principalArg(args, 0), principalArg(args, 1));
    return { result: allowance ? some(allowance) : none };
  },
  'check-caller-allowed': context => ({ result: bool(isCallerAllowed(context)) }),
  'set-signer-key-authorization'(context, args) {
    const { sender, caller, mainnet, burnHeight } = context;
    const [period, rewardCycle, topic] = [uintArg(args, 1), uintArg(args, 2), args[3]!];
    const [key, allowed] = [bytesArg(args, 4), args[5]!];
    if (sender !== caller) return poxError('notAllowed');
    if (key.length !== 33 || accountOf(key, mainnet) !== sender) return poxError('notAllowed');
    if (!isLockPeriod(period)) return poxError('invalidLockPeriod');
    if (rewardCycle < BigInt(cycleOf(burnHeight))) return poxError('rewardCycle');
    const terms = {
      topic: topic.type === 'string-ascii' ? topic.text : '',
      poxAddress: args[0]!,
      rewardCycle,
      period,
      amount: 0n,
    };
    const signer = signerArguments([none, args[4]!, args[6]!, args[7]!], 0);
    const isAllowed = allowed.type === 'bool' && allowed.value;
    return { result: ok(bool(isAllowed)), writes: [authorizationWrite(context, terms, signer, isAllowed)] };
  },
};
