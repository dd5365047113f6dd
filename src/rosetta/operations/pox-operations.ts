import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import type { Network } from '@cairn-stacks/codec/network';
import { bytesOf, fieldsOf, principalOf, uintOf } from '../../chain/print-fields.ts';
import { bitcoinAddress } from '../../read/pox/pox-address-schema.ts';
import { argumentsOf, type Call, valueIn } from '../call-arguments.ts';
import type { OperationType } from './operation-types.ts';

const POX = /^S[PT]000000000000000000002(?:Q6VF78|AMW42H)\.pox(?:-[2-5])?$/;

/** Functions whose calls are operations in the incumbent. */
const COMPAT_TYPES = new Map<string, OperationType>([
  ['stack-stx', 'stack_stx'],
  ['delegate-stx', 'delegate_stx'],
  ['revoke-delegate-stx', 'revoke_delegate_stx'],
]);

const TYPES = new Map<string, OperationType>([
  ...COMPAT_TYPES,
  ['stack-extend', 'stack_extend'],
  ['stack-increase', 'stack_increase'],
  ['delegate-stack-stx', 'delegate_stack_stx'],
  ['delegate-stack-extend', 'delegate_stack_extend'],
  ['delegate-stack-increase', 'delegate_stack_increase'],
  ['stack-aggregation-commit', 'stack_aggregation_commit'],
  ['stack-aggregation-commit-indexed', 'stack_aggregation_commit_indexed'],
  ['stack-aggregation-increase', 'stack_aggregation_increase'],
  ['stake', 'stake'],
  ['stake-update', 'stake_update'],
  ['unstake', 'unstake'],
  ['register-for-bond', 'register_for_bond'],
]);

/** Calls of a PoX contract that have their own operation before a block shows what they did. */
export function poxOperationType({ contract_id, function_name }: Call, compat: boolean): OperationType | undefined {
  return POX.test(contract_id) ? (compat ? COMPAT_TYPES : TYPES).get(function_name) : undefined;
}

export type PoxContext = {
  network: Network;
  /** The result of the call; absent while it is pending. */
  result?: Uint8Array | undefined;
  compat: boolean;
};

/** The arguments and the result of such a call. */
export function poxMetadata(type: OperationType, call: Call, context: PoxContext): Record<string, unknown> {
  const args = argumentsOf(call);
  const result = context.result && valueIn(context.result);
  if (type === 'stack_stx') return stackMetadata(args, result, context.network);
  const outcome = resultText(result, context.compat);
  if (type === 'revoke_delegate_stx') return outcome;
  if (type !== 'delegate_stx') return callMetadata(call);
  const [amount, delegate, until, address] = args;
  const rewardAddress = call.function_args?.[3]?.hex;
  return {
    amount_ustx: String(uintOf(amount) ?? 0n),
    delegate_to: principalOf(delegate) ?? '',
    until_burn_height: String(uintOf(until) ?? 'none'),
    // Without the prefix byte of the optional.
    pox_addr: address?.type === 'some' && rewardAddress ? `0x${rewardAddress.slice(4)}` : 'none',
    ...outcome,
  };
}

/** A call as its operation shows it. */
export const callMetadata = ({ contract_id, function_name, function_args = [] }: Call) => ({
  contract_identifier: contract_id,
  function_name,
  args: function_args,
});

/** The incumbent expects an optional there, and finds none. */
function resultText(result: ClarityValue | undefined, compat: boolean): Record<string, string> {
  if (compat) return { result: 'false' };
  return result ? { result: String(result.type === 'ok') } : {};
}

function stackMetadata(args: (ClarityValue | undefined)[], result: ClarityValue | undefined, network: Network) {
  const [amount, address, start, period] = args;
  const parts = fieldsOf(address);
  const version = bytesOf(parts.get('version'))?.[0];
  const hash = bytesOf(parts.get('hashbytes'));
  const text = version === undefined || !hash ? null : bitcoinAddress({ version, hash }, network);
  const locked = result?.type === 'ok' ? fieldsOf(result.value) : undefined;
  return {
    amount_ustx: String(uintOf(amount) ?? 0n),
    pox_addr: text ?? 'Invalid',
    start_burn_height: String(uintOf(start) ?? 0n),
    lock_period: String(uintOf(period) ?? 0n),
    ...(locked && {
      unlock_burn_height: String(uintOf(locked.get('unlock-burn-height')) ?? 0n),
      stacker_address: principalOf(locked.get('stacker')) ?? '',
    }),
  };
}
