import { bareHex, fromHex, toHex } from '@cairn-stacks/codec/hex';
import { addressOf, convertPublicKey } from '@cairn-stacks/codec/keys';
import type { Network } from '@cairn-stacks/codec/network';
import { initialSighash, presignSighash } from '@cairn-stacks/codec/transaction/sighash';
import { encodeTransaction, type Transaction } from '@cairn-stacks/codec/transaction/transaction';
import { RosettaError } from '../errors.ts';
import type { ConstructionMetadata, PayloadsRequest, RosettaPublicKey } from '../schemas/construction.ts';
import { attempt, isAccount, stackingVersion, transactionVersion } from './address.ts';
import { type Intent, readIntent } from './intent.ts';
import { needDelegate, needPoxAddress, readLimits, readSignerKey, writePayload } from './options.ts';
import { type Plan, unsignedTransaction } from './plan.ts';

export const CURVE = 'secp256k1';
export const SIGNATURE_TYPE = 'ecdsa_recovery';

type Context = { network: Network; compat: boolean };

/** The unsigned transaction of some operations, and the hash to sign. */
export function makePayloads(
  { operations, public_keys, metadata = {} }: PayloadsRequest,
  { network, compat }: Context,
) {
  const intent = readIntent(operations, metadata.memo, compat);
  const { sender, fee, amount } = intent;
  if (amount === undefined) throw new RosettaError(630);
  if (fee === undefined) throw new RosettaError(631);
  if (public_keys === undefined) throw new RosettaError(632);
  if (sender === undefined || !isAccount(sender, network)) throw new RosettaError(626);
  if (metadata.account_sequence === undefined) throw new RosettaError(643);
  const [key] = public_keys;
  if (!key || public_keys.length > 1) throw new RosettaError(636);
  const publicKey = readPublicKey(key);
  if (addressOf(publicKey, transactionVersion(network)) !== sender) {
    throw new RosettaError(620, 'the key is not that of the sender');
  }
  const payload = writePayload(planOf(intent, amount, metadata, network));
  const nonce = BigInt(metadata.account_sequence);
  const transaction = unsignedTransaction(payload, { publicKey, nonce, fee: fee < 0n ? -fee : fee }, network);
  return {
    unsigned_transaction: toHex(encodeTransaction(transaction)),
    payloads: [
      {
        address: sender,
        account_identifier: { address: sender },
        hex_bytes: bareHex(hashToSign(transaction)),
        signature_type: SIGNATURE_TYPE,
      },
    ],
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
function planOf(intent: Intent, amount: bigint, metadata: ConstructionMetadata, network: Network): Plan {
  switch (intent.type) {
    case 'token_transfer': {
      const { type, recipient, memo } = intent;
      if (recipient === undefined || !isAccount(recipient, network)) throw new RosettaError(627);
      return { type, recipient, amount, memo };
    }
    case 'stack_stx': {
      const terms = { ...metadata, ...intent.terms };
      const poxAddress = needPoxAddress(terms.pox_addr);
      const { contract, version } = readContract(metadata, network);
      const { burn_block_height: burnHeight, number_of_cycles: cycles } = terms;
      if (burnHeight === undefined) throw new RosettaError(621, 'burn_block_height is missing');
      const plan = { type: intent.type, contract, amount, poxAddress, burnHeight, cycles };
      return version < 4 ? plan : { ...plan, signer: readSigner(terms, amount) };
    }
    case 'delegate_stx': {
      const { contract } = readContract(metadata, network);
      const { delegate_to, pox_addr } = intent.terms;
      const delegateTo = needDelegate(delegate_to, network);
      const poxAddress = pox_addr === undefined ? undefined : needPoxAddress(pox_addr);
      return { type: intent.type, contract, amount, delegateTo, untilHeight: metadata.burn_block_height, poxAddress };
    }
  }
}

function readContract({ contract_address, contract_name }: ConstructionMetadata, network: Network) {
  if (contract_address === undefined) throw new RosettaError(644);
  if (contract_name === undefined) throw new RosettaError(645);
  const contract = `${contract_address}.${contract_name}`;
  const version = stackingVersion(contract, network.mainnet);
  if (version === undefined) throw new RosettaError(645, 'not a stacking contract of this network');
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
