import { decodeAddress } from '@cairn-stacks/codec/address/c32';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { buildTransaction, singleSig } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import type { PostCondition } from '@cairn-stacks/codec/transaction/post-condition';
import { signOrigin, signSponsor } from '@cairn-stacks/codec/transaction/signing';
import type { SingleSigCondition } from '@cairn-stacks/codec/transaction/spending-condition';
import {
  type AnchorMode,
  encodeTransaction,
  type PostConditionMode,
  type Transaction,
  TransactionVersion,
  transactionId,
} from '@cairn-stacks/codec/transaction/transaction';
import type { Account } from '../chain/account.ts';

/** A transaction as bytes, with its id. */
export type Encoded = { raw: string; txId: string };

/** An account that signs, and its next nonce. */
export type Spender = { account: Account; nonce: bigint };

export type Order = {
  network: Network;
  origin: Spender;
  sponsor?: Spender | undefined;
  fee: bigint;
  payload: Payload;
  anchorMode?: AnchorMode;
  postConditionMode?: PostConditionMode;
  postConditions?: PostCondition[];
  /** False leaves the signatures empty, which is fifty times faster. */
  sign: boolean;
};

/** Builds a transaction and signs it with the keys of origin and sponsor. */
export function makeTransaction({ network, origin, sponsor, fee, payload, sign, ...modes }: Order): Encoded {
  let transaction: Transaction = buildTransaction({
    version: versionOf(network),
    chainId: network.chainId,
    payload,
    origin: singleSig(origin.account.publicKey, { nonce: origin.nonce, fee: sponsor ? 0n : fee }),
    ...(sponsor && { sponsor: singleSig(sponsor.account.publicKey, { nonce: sponsor.nonce, fee }) }),
    ...modes,
  });
  if (sign) {
    transaction = signOrigin(transaction, origin.account.key);
    if (sponsor) transaction = signSponsor(transaction, sponsor.account.key);
  }
  return encoded(transaction);
}

/** A transaction of genesis: unsigned, without chain id, fee and nonce. */
export function makeBootTransaction(network: Network, payload: Payload, sender?: string): Encoded {
  const origin: SingleSigCondition = {
    hashMode: 0,
    signer: sender === undefined ? new Uint8Array(20) : decodeAddress(sender).hash,
    nonce: 0n,
    fee: 0n,
    keyEncoding: 'compressed',
    signature: new Uint8Array(65),
  };
  return encoded(
    buildTransaction({
      version: versionOf(network),
      chainId: 0,
      payload,
      origin,
      anchorMode: 'on_chain_only',
      postConditionMode: 'allow',
    }),
  );
}

const versionOf = ({ mainnet }: Network) => (mainnet ? TransactionVersion.mainnet : TransactionVersion.testnet);

function encoded(transaction: Transaction): Encoded {
  const bytes = encodeTransaction(transaction);
  return { raw: toHex(bytes), txId: toHex(transactionId(bytes)) };
}
