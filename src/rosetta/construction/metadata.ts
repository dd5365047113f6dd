import { randomBytes } from 'node:crypto';
import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import { parsePrivateKey, publicKeyOf } from '@cairn-stacks/codec/keys';
import type { Network } from '@cairn-stacks/codec/network';
import { writePayload } from '@cairn-stacks/codec/transaction/payload';
import { Writer } from '@cairn-stacks/codec/writer';
import { RosettaError } from '../errors.ts';
import { STX, stxAmount } from '../operations/currency.ts';
import type { ConstructionMetadata, ConstructionOptions } from '../schemas/construction.ts';
import { attempt, isAccount, stackingVersion } from './address.ts';
import type { ConstructionChain } from './chain.ts';
import { readAmount } from './intent.ts';
import { draftPayload, needPoxAddress, readLimits, readSignerKey } from './options.ts';
import { sizeOf } from './plan.ts';
import { signConsent } from './signer-consent.ts';

export type MetadataContext = { chain: ConstructionChain; network: Network; compat: boolean };

/** Adds data from the chain to the options, and the fee of the transaction. */
export async function makeMetadata(options: ConstructionOptions, { chain, network, compat }: MetadataContext) {
  const { sender_address: sender, type } = options;
  if (sender === undefined) throw new RosettaError(642);
  if (!isAccount(sender, network)) throw new RosettaError(626);
  if (options.symbol !== STX.symbol) throw new RosettaError(623);
  if (options.size === undefined && options.fee === undefined) throw new RosettaError(639);
  if (type === 'token_transfer' && options.decimals !== STX.decimals) throw new RosettaError(624);
  const payload = draftPayload(options, network, compat);
  const { size = sizeOf(payload, network) } = options;
  const writer = new Writer(512);
  writePayload(writer, payload);
  const [nonce, tipHash, added, estimate] = await Promise.all([
    chain.nextNonce(sender),
    chain.tipHash(),
    type === 'token_transfer' ? undefined : stackingMetadata(options, chain, network),
    chain.estimateFee(writer.finish(), size),
  ]);
  // The key of the signer is not passed on.
  const { signer_private_key: _, ...publicOptions } = options;
  const metadata: ConstructionMetadata = {
    ...publicOptions,
    ...added,
    account_sequence: nonce,
    ...(tipHash !== undefined && { recent_block_hash: tipHash }),
  };
  return { metadata, suggested_fee: [stxAmount(suggestFee(estimate, size, options))] };
}

/** The scaled fee estimate: never below the minimum of the network, never above the maximum of the caller. */
function suggestFee(estimate: bigint, size: number, options: ConstructionOptions): bigint {
  if (estimate <= 0n) throw new RosettaError(622);
  const { suggested_fee_multiplier: multiplier = 1, max_fee } = options;
  let fee = BigInt(Math.max(size, Math.ceil(Number(estimate) * multiplier)));
  if (max_fee !== undefined && readAmount(max_fee, 622) < fee) fee = readAmount(max_fee, 622);
  if (fee <= 0n) throw new RosettaError(622);
  return fee;
}

async function stackingMetadata(options: ConstructionOptions, chain: ConstructionChain, network: Network) {
  const state = await chain.stacking();
  const [contract_address = '', contract_name = ''] = state.contract.split('.');
  const contract = { contract_address, contract_name };
  if (options.type !== 'stack_stx') return contract;
  const cycle = { burn_block_height: state.burnHeight, reward_cycle_id: options.reward_cycle_id ?? state.rewardCycle };
  const version = stackingVersion(state.contract, network.mainnet);
  if (version === undefined) throw new RosettaError(645, `${state.contract} has no stack-stx that is known here`);
  if (version < 4) return { ...contract, ...cycle };
  const pox_auth_id = options.pox_auth_id ?? BigInt(toHex(randomBytes(16))).toString();
  const consent = { ...options, pox_auth_id, reward_cycle_id: cycle.reward_cycle_id };
  return { ...contract, ...cycle, pox_auth_id, ...signed(consent, network) };
}

/** The signer's consent, created if only its key is given. */
function signed(options: ConstructionOptions & { reward_cycle_id: number }, network: Network) {
  const { signer_private_key: secret, signer_signature, number_of_cycles: cycles = 0 } = options;
  if (signer_signature !== undefined || secret === undefined) return {};
  const key = attempt(() => parsePrivateKey(secret));
  if (!key) throw new RosettaError(621, 'signer_private_key must be a private key');
  const publicKey = publicKeyOf({ ...key, keyEncoding: 'compressed' });
  if (bareHex(readSignerKey(options.signer_key)) !== bareHex(publicKey)) {
    throw new RosettaError(621, 'signer_private_key is not the key of signer_key');
  }
  const poxAddress = needPoxAddress(options.pox_addr);
  const limits = readLimits(options, readAmount(options.amount ?? '', 621));
  const consent = { poxAddress, rewardCycle: options.reward_cycle_id, cycles, ...limits };
  return { signer_signature: bareHex(signConsent(consent, network.chainId, key.secret)) };
}
