import { bareHex, fromHex, toHex } from '@cairn-stacks/codec/hex';
import { addressOf, convertPublicKey } from '@cairn-stacks/codec/keys';
import type { Network } from '@cairn-stacks/codec/network';
import { initialSighash, presignSighash } from '@cairn-stacks/codec/transaction/sighash';
import { encodeTransaction, type Transaction } from '@cairn-stacks/codec/transaction/transaction';
import { RosettaError } from '../errors.ts';
import type { ConstructionMetadata, PayloadsRequest, RosettaPublicKey } from '../schemas/construction.ts';
import { actContent } from './act-content.ts';
import {
  assertVersion,
  attempt,
  isAccount,
  isPrincipalOf,
  MAX_STACKING_VERSION,
  stackingVersion,
  transactionVersion,
} from './address.ts';
import { type Intent, readIntent } from './intent.ts';
import { originOf } from './multi-sig.ts';
import { needDelegate, writePayload } from './options.ts';
import { type Content, type Plan, unsignedTransaction } from './plan.ts';
import { needPoxAddress, readLimits, readSignerKey } from './signer-terms.ts';

export const CURVE = 'secp256k1';
export const SIGNATURE_TYPE = 'ecdsa_recovery';

type Context = { network: Network; compat: boolean };

/** The unsigned transaction of some operations, and the hash that each of its keys signs. */
export function makePayloads(request: PayloadsRequest, { network, compat }: Context) {
  const { operations, public_keys, metadata = {} } = request;
  const intent = readIntent(operations, request, compat);
  const { sender, fee, amount } = intent;
  if (amount === undefined) throw new RosettaError(630);
  if (fee === undefined) throw new RosettaError(631);
  if (public_keys === undefined) throw new RosettaError(632);
  if (sender === undefined || !isAccount(sender, network)) throw new RosettaError(626);
  if (metadata.account_sequence === undefined) throw new RosettaError(643);
  if (compat && public_keys.length > 1) throw new RosettaError(636);
  const keys = public_keys.map(readPublicKey);
  const spending = { nonce: BigInt(metadata.account_sequence), fee: fee < 0n ? -fee : fee };
  const origin = originOf(sender, keys, spending, network);
  const transaction = unsignedTransaction(contentOf(intent, amount, metadata, { network, compat }), origin, network);
  const hex_bytes = bareHex(hashToSign(transaction));
  return {
    unsigned_transaction: toHex(encodeTransaction(transaction)),
    payloads: keys.map(key => ({
      address: keys.length === 1 ? sender : addressOf(key, transactionVersion(network)),
      account_identifier: { address: sender },
      hex_bytes,
      signature_type: SIGNATURE_TYPE,
    })),
  };
}

/** The hash that the origin of a transaction signs. */
export function hashToSign(transaction: Transaction): Uint8Array {
  const { fee, nonce } = transaction.auth.origin;
  return presignSighash(initialSighash(transaction), 'origin', fee, nonce);
}

/** Validates a public key: of the supported curve, and a point on it. */
export function readPublicKey({ hex_bytes, curve_type }: RosettaPublicKey): Uint8Array {
  if (curve_type !== CURVE) throw new RosettaError(619);
  const key = attempt(() => {
    const bytes = fromHex(hex_bytes);
    return convertPublicKey(bytes, bytes.length === 65 ? 'uncompressed' : 'compressed');
  });
  if (!key) throw new RosettaError(620);
  return key;
}

/** The operations take precedence; the metadata adds data from the chain. */
function contentOf(intent: Intent, amount: bigint, metadata: ConstructionMetadata, context: Context): Content {
  if (intent.type !== 'act') return { payload: writePayload(planOf(intent, amount, metadata, context)) };
  const { act } = intent;
  // The key of the signer serves `/construction/metadata` alone.
  const { signer_private_key: _, ...terms } = intent.terms;
  const { network } = context;
  const { versions, consent } = act;
  const parts = { amount, network, contract: '', burnHeight: 0 };
  if (!versions) return actContent(act, terms, parts);
  const { contract, version } = readContract(metadata, network);
  assertVersion(act, contract, version);
  const { burn_block_height: burnHeight, signer_signature, pox_auth_id } = metadata;
  if (burnHeight === undefined) throw new RosettaError(621, 'burn_block_height is missing');
  const signed = { ...(consent && { signer_signature, pox_auth_id }), ...terms };
  if (consent && signed.pox_auth_id === undefined) throw new RosettaError(621, 'pox_auth_id is missing');
  return actContent(act, signed, { ...parts, contract, burnHeight });
}

type PlannedIntent = Exclude<Intent, { type: 'act' }>;

function planOf(
  intent: PlannedIntent,
  amount: bigint,
  metadata: ConstructionMetadata,
  { network, compat }: Context,
): Plan {
  switch (intent.type) {
    case 'token_transfer': {
      const { type, recipient, memo } = intent;
      const isRecipient = compat ? isAccount : isPrincipalOf;
      if (recipient === undefined || !isRecipient(recipient, network)) throw new RosettaError(627);
      return { type, recipient, amount, memo };
    }
    case 'stack_stx': {
      const terms = { ...metadata, ...intent.terms };
      const poxAddress = needPoxAddress(terms.pox_addr);
      const { contract, version } = readContract(metadata, network, MAX_STACKING_VERSION);
      const { burn_block_height: burnHeight, number_of_cycles: cycles } = terms;
      if (burnHeight === undefined) throw new RosettaError(621, 'burn_block_height is missing');
      const plan = { type: intent.type, contract, amount, poxAddress, burnHeight, cycles };
      return version < 4 ? plan : { ...plan, signer: readSigner(terms, amount) };
    }
    case 'delegate_stx': {
      const { contract } = readContract(metadata, network, MAX_STACKING_VERSION);
      const { delegate_to, pox_addr } = intent.terms;
      const delegateTo = needDelegate(delegate_to, network);
      const poxAddress = pox_addr === undefined ? undefined : needPoxAddress(pox_addr);
      return { type: intent.type, contract, amount, delegateTo, untilHeight: metadata.burn_block_height, poxAddress };
    }
  }
}

function readContract({ contract_address, contract_name }: ConstructionMetadata, network: Network, newest = Infinity) {
  if (contract_address === undefined) throw new RosettaError(644);
  if (contract_name === undefined) throw new RosettaError(645);
  const contract = `${contract_address}.${contract_name}`;
  const version = stackingVersion(contract, network.mainnet);
  if (version === undefined || version > newest) {
    throw new RosettaError(645, 'not a stacking contract of this network');
  }
  return { contract, version };
}

function readSigner(terms: ConstructionMetadata, amount: bigint) {
  const key = readSignerKey(terms.signer_key);
  const { signer_signature: text } = terms;
  if (terms.reward_cycle_id === undefined) throw new RosettaError(621, 'reward_cycle_id is missing');
  if (terms.pox_auth_id === undefined) throw new RosettaError(621, 'pox_auth_id is missing');
  const signature = text === undefined ? undefined : attempt(() => fromHex(text));
  if (text !== undefined && signature?.length !== 65) throw new RosettaError(621, 'signer_signature has 65 bytes');
  return { key, signature, ...readLimits(terms, amount) };
}
