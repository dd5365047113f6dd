import { CodecError } from '@cairn-stacks/codec/error';
import { fromHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { bootAddress } from '@cairn-stacks/codec/network';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { RosettaError } from '../errors.ts';
import { STX } from '../operations/currency.ts';
import type { ConstructionOptions, PreprocessRequest } from '../schemas/construction.ts';
import { attempt, isAccount, isPrincipalOf, readPoxAddress } from './address.ts';
import { type Intent, readAmount } from './intent.ts';
import { type Plan, payloadOf, sizeOf } from './plan.ts';

/** The options known before the chain is read: enough to compute the size of the transaction. */
export function optionsOf(intent: Intent, request: PreprocessRequest, network: Network, compat: boolean) {
  const { metadata = {}, max_fee: [maxFee] = [], suggested_fee_multiplier } = request;
  if (maxFee && maxFee.currency.symbol !== STX.symbol) throw new RosettaError(622);
  if (maxFee) readAmount(maxFee.value, 622);
  if (intent.amount === undefined) {
    throw new RosettaError(621, 'a transfer needs an operation of its recipient', 500);
  }
  if (intent.sender === undefined || !isAccount(intent.sender, network)) throw new RosettaError(626);
  // The incumbent passes the memo of a transaction on whatever its type.
  const memo = intent.type === 'token_transfer' ? intent.memo : metadata.memo;
  const options: ConstructionOptions = {
    ...(intent.fee !== undefined && { fee: intent.fee.toString() }),
    type: intent.type,
    ...(intent.type === 'token_transfer'
      ? intent.recipient !== undefined && { token_transfer_recipient_address: intent.recipient }
      : intent.terms),
    amount: intent.amount.toString(),
    symbol: STX.symbol,
    decimals: STX.decimals,
    ...(metadata.gas_limit !== undefined && { gas_limit: metadata.gas_limit }),
    ...(metadata.gas_price !== undefined && { gas_price: metadata.gas_price }),
    ...(memo !== undefined && { memo }),
    ...(suggested_fee_multiplier !== undefined && { suggested_fee_multiplier }),
    ...(maxFee && { max_fee: maxFee.value }),
  };
  return { ...options, sender_address: intent.sender, size: sizeOf(draftPayload(options, network, compat), network) };
}

/** The payload from the options; data that the chain adds later is replaced by placeholders of the same length. */
export function draftPayload(options: ConstructionOptions, network: Network, compat: boolean): Payload {
  return writePayload(draftPlan(options, network, compat));
}

/** A memo that is too long is the only possible mistake in a plan. */
export function writePayload(plan: Plan): Payload {
  try {
    return payloadOf(plan);
  } catch (error) {
    if (error instanceof CodecError) throw new RosettaError(609, error.message);
    throw error;
  }
}

function draftPlan(options: ConstructionOptions, network: Network, compat: boolean): Plan {
  const boot = bootAddress(network.mainnet);
  const amount = readAmount(options.amount ?? '', 621);
  if (amount <= 0n) throw new RosettaError(621, 'the amount must not be 0');
  switch (options.type) {
    case 'token_transfer': {
      const recipient = options.token_transfer_recipient_address;
      if (recipient === undefined || !isAccount(recipient, network)) throw new RosettaError(627);
      return { type: options.type, recipient, amount, memo: options.memo };
    }
    case 'stack_stx': {
      const { number_of_cycles: cycles, burn_block_height: burnHeight = 0 } = options;
      if (cycles === undefined) throw new RosettaError(621, 'number_of_cycles is missing');
      const signer = {
        key: readSignerKey(options.signer_key),
        signature: new Uint8Array(65),
        ...readLimits(options, amount),
      };
      const poxAddress = needPoxAddress(options.pox_addr);
      return { type: options.type, contract: `${boot}.pox-4`, amount, poxAddress, burnHeight, cycles, signer };
    }
    case 'delegate_stx': {
      const delegateTo = needDelegate(options.delegate_to, network);
      const poxAddress = options.pox_addr === undefined ? undefined : needPoxAddress(options.pox_addr);
      // The incumbent uses the name of the first contract, which is two characters shorter.
      const contract = `${boot}.${compat ? 'pox' : 'pox-4'}`;
      return { type: options.type, contract, amount, delegateTo, poxAddress };
    }
    default:
      throw new RosettaError(625);
  }
}

/** The key of a signer, 33 bytes. */
export function readSignerKey(text: string | undefined): Uint8Array {
  const key = text === undefined ? undefined : attempt(() => fromHex(text));
  if (key?.length !== 33) throw new RosettaError(621, 'signer_key must be a public key of 33 bytes');
  return key;
}

/** The limits of a signer: the maximum amount, and the id of the consent. */
export function readLimits(
  { pox_max_amount, pox_auth_id = 0 }: Pick<ConstructionOptions, 'pox_max_amount' | 'pox_auth_id'>,
  amount: bigint,
) {
  const limits = { maxAmount: BigInt(pox_max_amount ?? amount), authId: BigInt(pox_auth_id) };
  if (limits.maxAmount >> 128n || limits.authId >> 128n) throw new RosettaError(621, 'a number has at most 128 bits');
  return limits;
}

export function needPoxAddress(text: string | undefined) {
  const address = text === undefined ? undefined : readPoxAddress(text);
  if (!address) throw new RosettaError(621, 'pox_addr must be a Bitcoin address');
  return address;
}

export function needDelegate(text: string | undefined, network: Network): string {
  if (text === undefined || !isPrincipalOf(text, network)) throw new RosettaError(621, 'delegate_to is no principal');
  return text;
}
