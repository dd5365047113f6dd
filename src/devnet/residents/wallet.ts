import { decodeAddress } from '../../codec/address/c32.ts';
import { toHex } from '../../codec/hex.ts';
import { buildTransaction, singleSig } from '../../codec/transaction/build.ts';
import type { Payload } from '../../codec/transaction/payload.ts';
import type { PostCondition } from '../../codec/transaction/post-condition.ts';
import { signOrigin, signSponsor } from '../../codec/transaction/signing.ts';
import type { SingleSigCondition } from '../../codec/transaction/spending-condition.ts';
import {
  type AnchorMode,
  encodeTransaction,
  type PostConditionMode,
  type Transaction,
  TransactionVersion,
  transactionId,
} from '../../codec/transaction/transaction.ts';
import type { Network } from '../../network.ts';
import type { Account } from '../chain/account.ts';

/** A transaction as bytes, with its id. */
export type Encoded = { raw: string; txId: string };

/** One who pays or acts, and the nonce that is due. */
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

/** Builds a transaction and signs it with the keys of those who take part. */
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

/** A transaction of genesis: nobody signs it, it has no chain id, costs nothing and moves no nonce. */
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
