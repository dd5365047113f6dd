import { poxToBitcoinAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { formatPrincipal } from '@cairn-stacks/codec/address/principal';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { bareHex } from '@cairn-stacks/codec/hex';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { poxAddressOf } from '../../chain/pox/print.ts';
import { bytesOf, principalOf, uintOf } from '../../chain/print-fields.ts';
import { stxAmount } from '../operations/currency.ts';
import type { RosettaAmount } from '../schemas/rosetta.ts';
import { attempt, stackingVersion } from './address.ts';

type Call = Extract<Payload, { type: 'contract_call' }>;

/** The amount, if it has one, and the metadata of the operation that a stacking call was constructed from. */
export type StackingIntent = { amount?: RosettaAmount; metadata: Record<string, unknown> };

/** What the operation said; undefined if the arguments are not those of the function. */
type Read = { amount?: bigint | undefined; metadata: Record<string, unknown> } | undefined;

/** Reads the intent of a call; undefined for calls that no operation produces. */
export function readStackingCall(payload: Call, version: number): StackingIntent | undefined {
  const addresses = version < 0x80 ? 'mainnet' : 'testnet';
  if (stackingVersion(formatPrincipal(payload.contract), version < 0x80) === undefined) return undefined;
  const args = attempt(() => payload.args.map(decodeClarity)) ?? [];
  const read = READERS.get(payload.functionName)?.(args, addresses);
  if (!read) return undefined;
  const { amount, metadata } = read;
  return { ...(amount !== undefined && { amount: stxAmount(-amount) }), metadata: withoutUnknown(metadata) };
}

const withoutUnknown = (metadata: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));

function readStacking(args: readonly ClarityValue[], addresses: Addresses): Read {
  const [amount, pox_addr] = [uintOf(args[0]), addressOf(args[1], addresses)];
  const [height, cycles] = [uintOf(args[2]), uintOf(args[3])];
  if (amount === undefined || pox_addr === undefined || height === undefined || cycles === undefined) return undefined;
  const terms = { number_of_cycles: Number(cycles), pox_addr, burn_block_height: Number(height) };
  return { amount, metadata: { ...terms, ...readConsent(args.slice(4)) } };
}

/** The last arguments of a call of pox-4; none before it. */
function readConsent([signature, key, most, authId]: readonly ClarityValue[]): Record<string, unknown> {
  const [signerKey, maxAmount, id] = [bytesOf(key), uintOf(most), uintOf(authId)];
  if (signerKey === undefined || maxAmount === undefined || id === undefined) return {};
  const consent = bytesOf(signature);
  return {
    ...(consent && { signer_signature: bareHex(consent) }),
    signer_key: bareHex(signerKey),
    pox_max_amount: maxAmount.toString(),
    pox_auth_id: id.toString(),
  };
}

function readExtension([count, address, ...rest]: readonly ClarityValue[], addresses: Addresses): Read {
  const cycles = uintOf(count);
  if (cycles === undefined) return undefined;
  const pox_addr = addressOf(address, addresses);
  return { metadata: { number_of_cycles: Number(cycles), pox_addr, ...readConsent(rest) } };
}

function readDelegation([amount, to, until, address]: readonly ClarityValue[], addresses: Addresses): Read {
  const delegate_to = principalOf(to);
  if (delegate_to === undefined || uintOf(amount) === undefined) return undefined;
  const [height, pox_addr] = [uintOf(until), addressOf(address, addresses)];
  const burn_block_height = height === undefined ? undefined : Number(height);
  return { amount: uintOf(amount), metadata: { delegate_to, pox_addr, burn_block_height } };
}

function readStake([manager, amount, cycles, height, calldata]: readonly ClarityValue[]): Read {
  if (uintOf(amount) === undefined || uintOf(cycles) === undefined || uintOf(height) === undefined) return undefined;
  const [num_cycles, burn_block_height] = [Number(uintOf(cycles)), Number(uintOf(height))];
  const metadata = { signer: principalOf(manager), num_cycles, burn_block_height, signer_calldata: hexOf(calldata) };
  return { amount: uintOf(amount), metadata };
}

function readStakeUpdate([manager, old, cycles, amount, calldata]: readonly ClarityValue[]): Read {
  const increase = uintOf(amount);
  if (increase === undefined || uintOf(cycles) === undefined) return undefined;
  const terms = {
    signer: principalOf(manager),
    old_signer: principalOf(old),
    cycles_to_extend: Number(uintOf(cycles)),
  };
  return {
    ...(increase > 0n && { amount: increase }),
    metadata: { ...terms, signer_calldata: hexOf(calldata) },
  };
}

function readRegistration([bond, manager, amount, lockup, calldata]: readonly ClarityValue[]): Read {
  const bond_index = uintOf(bond);
  if (bond_index === undefined || uintOf(amount) === undefined) return undefined;
  const sats = lockup?.type === 'err' ? uintOf(lockup.value) : undefined;
  const terms = { bond_index: Number(bond_index), signer: principalOf(manager), sats_total: sats?.toString() };
  const btc_lockup = lockup?.type === 'ok' ? bareHex(encodeClarity(lockup)) : undefined;
  return { amount: uintOf(amount), metadata: { ...terms, btc_lockup, signer_calldata: hexOf(calldata) } };
}

/** The bytes of an optional buffer. */
function hexOf(value: ClarityValue | undefined): string | undefined {
  const bytes = bytesOf(value);
  return bytes && bareHex(bytes);
}

type Addresses = 'mainnet' | 'testnet';

/** The Bitcoin address of a reward address. */
function addressOf(value: ClarityValue | undefined, addresses: Addresses): string | undefined {
  const address = poxAddressOf(value);
  return address && attempt(() => poxToBitcoinAddress(address, addresses));
}

const READERS = new Map<string, (args: readonly ClarityValue[], addresses: Addresses) => Read>([
  ['stack-stx', readStacking],
  ['stack-extend', readExtension],
  ['stack-increase', ([amount, ...rest]) => ({ amount: uintOf(amount), metadata: readConsent(rest) })],
  ['delegate-stx', readDelegation],
  ['revoke-delegate-stx', () => ({ metadata: {} })],
  ['stake', readStake],
  ['stake-update', readStakeUpdate],
  ['unstake', ([manager]) => ({ metadata: { signer: principalOf(manager) } })],
  ['register-for-bond', readRegistration],
]);
