import { poxToBitcoinAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { formatPrincipal } from '@cairn-stacks/codec/address/principal';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { bareHex } from '@cairn-stacks/codec/hex';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { poxAddressOf } from '../../chain/pox/print.ts';
import { bytesOf, principalOf, uintOf } from '../../chain/print-fields.ts';
import { stxAmount } from '../operations/currency.ts';
import type { StackingTerms } from '../schemas/construction.ts';
import type { RosettaAmount } from '../schemas/rosetta.ts';
import { attempt, stackingVersion } from './address.ts';

type Call = Extract<Payload, { type: 'contract_call' }>;

/** The amount and metadata of the operation that a stacking call was constructed from. */
export type StackingIntent = { amount: RosettaAmount; metadata: Record<string, unknown> };

/** Reads the intent of a call; undefined for calls that no operation produces. */
export function readStackingCall(payload: Call, version: number): StackingIntent | undefined {
  const addresses = version < 0x80 ? 'mainnet' : 'testnet';
  if (stackingVersion(formatPrincipal(payload.contract), version < 0x80) === undefined) return undefined;
  const args = attempt(() => payload.args.map(decodeClarity)) ?? [];
  const amount = uintOf(args[0]);
  if (amount === undefined) return undefined;
  const metadata = READERS.get(payload.functionName)?.(args, addresses);
  return metadata && { amount: stxAmount(-amount), metadata: { ...metadata } };
}

type Terms = StackingTerms & { burn_block_height: number };

function readStacking(args: readonly ClarityValue[], addresses: Addresses): Terms | undefined {
  const [, , start, period, signature, key, most, authId] = args;
  const [pox_addr, height, cycles] = [addressOf(args[1], addresses), uintOf(start), uintOf(period)];
  if (pox_addr === undefined || height === undefined || cycles === undefined) return undefined;
  const terms = { number_of_cycles: Number(cycles), pox_addr, burn_block_height: Number(height) };
  const [signerKey, maxAmount, id] = [bytesOf(key), uintOf(most), uintOf(authId)];
  if (signerKey === undefined || maxAmount === undefined || id === undefined) return terms;
  const consent = bytesOf(signature);
  return {
    ...terms,
    ...(consent && { signer_signature: bareHex(consent) }),
    signer_key: bareHex(signerKey),
    pox_max_amount: maxAmount.toString(),
    pox_auth_id: id.toString(),
  };
}

function readDelegation([, to, until, address]: readonly ClarityValue[], addresses: Addresses) {
  const delegate_to = principalOf(to);
  if (delegate_to === undefined) return undefined;
  const [height, pox_addr] = [uintOf(until), addressOf(address, addresses)];
  return {
    delegate_to,
    ...(pox_addr !== undefined && { pox_addr }),
    ...(height !== undefined && { burn_block_height: Number(height) }),
  };
}

type Addresses = 'mainnet' | 'testnet';

/** The Bitcoin address of a reward address. */
function addressOf(value: ClarityValue | undefined, addresses: Addresses): string | undefined {
  const address = poxAddressOf(value);
  return address && attempt(() => poxToBitcoinAddress(address, addresses));
}

const READERS = new Map<string, (args: readonly ClarityValue[], addresses: Addresses) => object | undefined>([
  ['stack-stx', readStacking],
  ['delegate-stx', readDelegation],
]);
