import { randomBytes } from 'node:crypto';
import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import { parsePrivateKey, publicKeyOf } from '@cairn-stacks/codec/keys';
import type { Network } from '@cairn-stacks/codec/network';
import { writePayload } from '@cairn-stacks/codec/transaction/payload';
import type { ConsentTopic } from '@cairn-stacks/codec/transaction/signer-consent';
import { Writer } from '@cairn-stacks/codec/writer';
import { RosettaError } from '../errors.ts';
import { STX, stxAmount } from '../operations/currency.ts';
import type {
  ConstructionMetadata,
  ConstructionOptions,
  MetadataRequest,
  RosettaPublicKey,
} from '../schemas/construction.ts';
import { actOf } from './acts/act-list.ts';
import { assertVersion, attempt, isAccount, MAX_STACKING_VERSION, stackingVersion } from './address.ts';
import type { ConstructionChain, StackingState } from './chain.ts';
import { readAmount } from './intent.ts';
import { asLargeAsSigned, originOf } from './multi-sig.ts';
import { draftContent } from './options.ts';
import { readPublicKey } from './payloads.ts';
import { type Content, sizeOf } from './plan.ts';
import { signConsent } from './signer-consent.ts';
import { needPoxAddress, readLimits, readSignerKey } from './signer-terms.ts';

export type MetadataContext = { chain: ConstructionChain; network: Network; compat: boolean };

/** Adds data from the chain to the options, and the fee of the transaction. */
export async function makeMetadata(
  { options, public_keys: keys = [] }: MetadataRequest,
  { chain, network, compat }: MetadataContext,
) {
  const { sender_address: sender, type } = options;
  if (sender === undefined) throw new RosettaError(642);
  if (!isAccount(sender, network)) throw new RosettaError(626);
  if (options.symbol !== STX.symbol) throw new RosettaError(623);
  if (options.size === undefined && options.fee === undefined) throw new RosettaError(639);
  if (type === 'token_transfer' && options.decimals !== STX.decimals) throw new RosettaError(624);
  const content = draftContent(options, network, compat);
  const size = sizeFor(options, content, keys, { network, compat });
  const writer = new Writer(512);
  writePayload(writer, content.payload);
  const [nonce, tipHash, added, estimate] = await Promise.all([
    chain.nextNonce(sender),
    chain.tipHash(),
    stackingMetadata(options, { chain, network, compat }),
    chain.estimateFee(writer.finish(), size),
  ]);
  // The key of the signer is not passed on.
  const { signer_private_key: _, operation, ...publicOptions } = options;
  const { signer_private_key: __, ...publicTerms } = operation ?? {};
  const metadata: ConstructionMetadata = {
    ...publicOptions,
    ...(operation && { operation: publicTerms }),
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

/** The size of the transaction in bytes; its keys are known here first, and with several of them it is larger. */
function sizeFor(
  options: ConstructionOptions,
  content: Content,
  keys: readonly RosettaPublicKey[],
  { network, compat }: Omit<MetadataContext, 'chain'>,
): number {
  const { sender_address: sender = '', size } = options;
  if (compat || keys.length < 2) return size ?? sizeOf(content, network);
  const origin = originOf(sender, keys.map(readPublicKey), { nonce: 0n, fee: 0n }, network);
  return sizeOf(content, network, asLargeAsSigned(origin));
}

/** What a call of the stacking contract needs from the chain; undefined for other transactions. */
async function stackingMetadata(options: ConstructionOptions, { chain, network, compat }: MetadataContext) {
  const act = compat ? undefined : actOf(options.type);
  if (options.type === 'token_transfer' || (act && !act.versions)) return undefined;
  const state = await chain.stacking();
  const [contract_address = '', contract_name = ''] = state.contract.split('.');
  const contract = { contract_address, contract_name };
  const version = stackingVersion(state.contract, network.mainnet);
  if (act) {
    if (version === undefined) throw new RosettaError(645, `${state.contract} is no stacking contract`);
    assertVersion(act, state.contract, version);
    const facts = { ...contract, burn_block_height: state.burnHeight };
    const terms = options.operation ?? {};
    if (!act.consent) return facts;
    return { ...facts, ...consented({ ...terms, amount: options.amount ?? '0' }, act.consent, state, network) };
  }
  if (options.type !== 'stack_stx') return contract;
  if (version === undefined || version > MAX_STACKING_VERSION) {
    throw new RosettaError(645, `${state.contract} has no stack-stx that is known here`);
  }
  const cycle = { burn_block_height: state.burnHeight, reward_cycle_id: options.reward_cycle_id ?? state.rewardCycle };
  if (version < 4) return { ...contract, ...cycle };
  return { ...contract, ...cycle, ...consented(options, 'stack-stx', state, network) };
}

/** The cycle, the id and the signature of the consent of a signer. */
function consented(options: ConstructionOptions, topic: ConsentTopic, state: StackingState, network: Network) {
  const reward_cycle_id = options.reward_cycle_id ?? state.rewardCycle;
  const pox_auth_id = options.pox_auth_id ?? BigInt(toHex(randomBytes(16))).toString();
  return { reward_cycle_id, pox_auth_id, ...signed({ ...options, pox_auth_id, reward_cycle_id }, topic, network) };
}

/** The signer's consent, created if only its key is given. */
function signed(options: ConstructionOptions & { reward_cycle_id: number }, topic: ConsentTopic, network: Network) {
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
  if (cycles === 0) throw new RosettaError(621, 'number_of_cycles is missing: the signature of the signer names it');
  const consent = { topic, poxAddress, rewardCycle: options.reward_cycle_id, cycles, ...limits };
  return { signer_signature: bareHex(signConsent(consent, network.chainId, key.secret)) };
}
