import { sha256 } from '@cairn-stacks/codec/hash';
import { addressOf, type PrivateKey, publicKeyOf } from '@cairn-stacks/codec/keys';
import { TransactionVersion } from '@cairn-stacks/codec/transaction/transaction';

/** An account of the simulated chain; the n-th one is the same in every run. */
export type Account = { index: number; key: PrivateKey; publicKey: Uint8Array; address: string };

const known = new Map<string, Account>();

/** The n-th account on mainnet or testnet. */
export function accountAt(index: number, mainnet: boolean): Account {
  const id = `${index} ${mainnet}`;
  let account = known.get(id);
  if (!account) {
    const key: PrivateKey = {
      secret: sha256(new TextEncoder().encode(`cairn devnet account ${index}`)),
      keyEncoding: 'compressed',
    };
    const version = mainnet ? TransactionVersion.mainnet : TransactionVersion.testnet;
    const publicKey = publicKeyOf(key);
    account = { index, key, publicKey, address: addressOf(publicKey, version) };
    known.set(id, account);
  }
  return account;
}
