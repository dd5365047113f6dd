import { CodecError } from '@cairn-stacks/codec/error';
import { bareHex } from '@cairn-stacks/codec/hex';
import { addressOf, parsePrivateKey } from '@cairn-stacks/codec/keys';
import { TransactionVersion } from '@cairn-stacks/codec/transaction/transaction';
import { accountAt } from '../chain/account.ts';
import { userAccounts } from './accounts.ts';

/** An account with STX at genesis that no resident uses. */
export type UserAccount = {
  name: string;
  address: string;
  /** 64 hex digits, followed by 01 for a compressed public key. */
  privateKey: string;
};

/** The default accounts of Clarinet, each the first one of its published mnemonic; `faucet` pays for the faucets of the API. */
export const clarinetAccounts: readonly UserAccount[] = [
  {
    name: 'deployer',
    address: 'ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM',
    privateKey: '753b7cc01a1a2e86221266a154af739463fce51219d97e4f856cd7200c3bd2a601',
  },
  {
    name: 'wallet_1',
    address: 'ST1SJ3DTE5DN7X54YDH5D64R3BCB6A2AG2ZQ8YPD5',
    privateKey: '7287ba251d44a4d3fd9276c88ce34c5c52a038955511cccaf77e61068649c17801',
  },
  {
    name: 'wallet_2',
    address: 'ST2CY5V39NHDPWSXMW9QDT3HC3GD6Q6XX4CFRK9AG',
    privateKey: '530d9f61984c888536871c6573073bdfc0058896dc1adfe9a6a10dfacadc209101',
  },
  {
    name: 'wallet_3',
    address: 'ST2JHG361ZXG51QTKY2NQCVBPPRRE2KZB1HR05NNC',
    privateKey: 'd655b2523bcd65e34889725c73064feb17ceb796831c0e111ba1a552b0f31b3901',
  },
  {
    name: 'wallet_4',
    address: 'ST2NEB84ASENDXKYGJPQW86YXQCEFEX2ZQPG87ND',
    privateKey: 'f9d7206a47f14d2870c163ebab4bf3e70d18f5d14ce1031f3902fbbc894fe4c701',
  },
  {
    name: 'wallet_5',
    address: 'ST2REHHS5J3CERCRBEPMGH7921Q6PYKAADT7JP2VB',
    privateKey: '3eccc5dac8056590432db6a35d52b9896876a3d5cbdea53b72400bc9c2099fe801',
  },
  {
    name: 'wallet_6',
    address: 'ST3AM1A56AK2C1XAFJ4115ZSV26EB49BVQ10MGCS0',
    privateKey: '7036b29cb5e235e5fd9b09ae3e8eec4404e44906814d5d01cbca968a60ed4bfb01',
  },
  {
    name: 'wallet_7',
    address: 'ST3PF13W7Z0RRM42A8VZRVFQ75SV1K26RXEP8YGKJ',
    privateKey: 'b463f0df6c05d2f156393eee73f8016c5372caa0e9e29a901bb7171d90dc4f1401',
  },
  {
    name: 'wallet_8',
    address: 'ST3NBRSFKX28FQ2ZJ1MAKX58HKHSDGNV5N7R21XCP',
    privateKey: '6a1a754ba863d7bab14adbbc3f8ebb090af9e871ace621d3e5ab634e1422885e01',
  },
  {
    name: 'faucet',
    address: 'STNHKEPYEPJ8ET55ZZ0M5A34J0R3N5FM2CMMMAZ6',
    privateKey: 'de433bdfa14ec43aa1098d5be594c8ffb20a31485ff9de2923b2689471c401b801',
  },
];

const accountOf = (name: string, privateKey: string): UserAccount => ({
  name,
  address: addressOf(parsePrivateKey(privateKey), TransactionVersion.testnet),
  privateKey,
});

/** The account that pays for the faucets of the API. */
export const faucetAccount: UserAccount = clarinetAccounts.at(-1)!;

/** The two accounts whose keys a start prints. */
export const printedAccounts: readonly UserAccount[] = userAccounts.map(index => {
  const { address, key } = accountAt(index, false);
  return { name: `account_${index}`, address, privateKey: `${bareHex(key.secret)}01` };
});

/** Number of accounts that are derived from a mnemonic. */
const accountsPerMnemonic = 10;

/**
 * Reads accounts of the user: each item is a private key, or a mnemonic (BIP-39) that stands for its first ten accounts as
 * wallets derive them (BIP-44, m/44'/5757'/0'/0/i). Throws a CodecError for a wrong key or mnemonic.
 */
export async function readAccounts(items: readonly string[]): Promise<UserAccount[]> {
  const keys: string[] = [];
  for (const item of items) {
    if (item.includes(' ')) keys.push(...(await keysOfMnemonic(item)));
    else keys.push(item);
  }
  return keys.map((key, index) => accountOf(`own_${index}`, key));
}

/** The libraries are loaded on demand, because a start without a mnemonic does not need them. */
async function keysOfMnemonic(mnemonic: string): Promise<string[]> {
  const [{ mnemonicToSeed, validateMnemonic }, { wordlist }, { HDKey }] = await Promise.all([
    import('@scure/bip39'),
    import('@scure/bip39/wordlists/english.js'),
    import('@scure/bip32'),
  ]);
  if (!validateMnemonic(mnemonic, wordlist)) {
    throw new CodecError('not a BIP-39 mnemonic: a word or the checksum is wrong', 0);
  }
  const root = HDKey.fromMasterSeed(await mnemonicToSeed(mnemonic)).derive("m/44'/5757'/0'/0");
  return Array.from({ length: accountsPerMnemonic }, (_, i) => `${bareHex(root.deriveChild(i).privateKey!)}01`);
}
