import { CodecError } from '@cairn-stacks/codec/error';
import type { Network } from '@cairn-stacks/codec/network';
import { bootAddress } from '@cairn-stacks/codec/network';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { RosettaError } from '../errors.ts';
import { STX } from '../operations/currency.ts';
import type { ConstructionOptions, PreprocessRequest } from '../schemas/construction.ts';
import { actContent } from './act-content.ts';
import { actOf } from './acts/act-list.ts';
import { isAccount, isPrincipalOf } from './address.ts';
import { type Intent, readActTerms, readAmount } from './intent.ts';
import { type Content, type Plan, payloadOf, sizeOf } from './plan.ts';
import { needPoxAddress, readLimits, readSignerKey } from './signer-terms.ts';

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
    ...termsOf(intent),
    ...((intent.type !== 'act' || intent.amount > 0n) && { amount: intent.amount.toString() }),
    symbol: STX.symbol,
    decimals: STX.decimals,
    ...(metadata.gas_limit !== undefined && { gas_limit: metadata.gas_limit }),
    ...(metadata.gas_price !== undefined && { gas_price: metadata.gas_price }),
    ...(memo !== undefined && { memo }),
    ...(suggested_fee_multiplier !== undefined && { suggested_fee_multiplier }),
    ...(maxFee && { max_fee: maxFee.value }),
  };
  return { ...options, sender_address: intent.sender, size: sizeOf(draftContent(options, network, compat), network) };
}

/** The type of a transaction and what its operations say in addition to amounts. */
function termsOf(intent: Intent): ConstructionOptions {
  switch (intent.type) {
    case 'token_transfer': {
      const { type, recipient } = intent;
      return { type, ...(recipient !== undefined && { token_transfer_recipient_address: recipient }) };
    }
    case 'act':
      return { type: intent.act.type, operation: intent.terms };
    default:
      return { type: intent.type, ...intent.terms };
  }
}

/** What the options describe; data that the chain adds later is replaced by placeholders of the same length. */
export function draftContent(options: ConstructionOptions, network: Network, compat: boolean): Content {
  const act = compat ? undefined : actOf(options.type);
  if (!act) return { payload: writePayload(draftPlan(options, network, compat)) };
  const terms = readActTerms(act, options.operation ?? {});
  const contract = `${bootAddress(network.mainnet)}.pox-5`;
  const amount = options.amount === undefined ? 0n : readAmount(options.amount, 621);
  return actContent(act, terms, { amount, network, contract, burnHeight: 0 });
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
      const isRecipient = compat ? isAccount : isPrincipalOf;
      if (recipient === undefined || !isRecipient(recipient, network)) throw new RosettaError(627);
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

export function needDelegate(text: string | undefined, network: Network): string {
  if (text === undefined || !isPrincipalOf(text, network)) throw new RosettaError(621, 'delegate_to is no principal');
  return text;
}
