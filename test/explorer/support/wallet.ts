import { fromHex } from '@cairn-stacks/codec/hex';
import { addressOf, type PrivateKey, publicKeyOf } from '@cairn-stacks/codec/keys';
import { deployPayload } from '@cairn-stacks/codec/transaction/build';
import { TransactionVersion } from '@cairn-stacks/codec/transaction/transaction';
import { makeTransaction } from '@cairn-stacks/devnet/residents/wallet';
import { type ClarityValue, makeContractCall, makeSTXTokenTransfer, PostConditionMode } from '@stacks/transactions';
import { expect } from 'vitest';
import { testNetwork } from '../../support/service.ts';
import type { Explorer } from './explorer.ts';

/** An account of the devnet that no resident uses. */
export const senderKey = 'b678f68c085644b8f04cb591f76cf6420b37784aeeebdc4480ea90a1c802605d01';
export const recipient = 'STG98GTQNCTMR1R9X9M2RY2JKK5ASTTK5BK5AJXY';

const key: PrivateKey = { secret: fromHex(senderKey.slice(0, 64)), keyEncoding: 'compressed' };
const publicKey = publicKeyOf(key);
const account = { index: -1, key, publicKey, address: addressOf(publicKey, TransactionVersion.testnet) };

type Signed = { serializeBytes(): Uint8Array; txid(): string };

/** Signs transactions of one account in order, and sends them through the API. */
export function walletOf(explorer: Explorer) {
  let nonce = 0;
  const order = (fee = 3000) => ({ senderKey, network: 'testnet' as const, fee, nonce: nonce++ });
  const send = async (transaction: Signed): Promise<string> => {
    const response = await fetch(`${explorer.base}/v2/transactions`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from(transaction.serializeBytes()),
    });
    expect(await response.text()).toBe(`"${transaction.txid()}"`);
    return `0x${transaction.txid()}`;
  };
  return {
    send,
    address: account.address,
    transfer: (amount: number, memo = '') => makeSTXTokenTransfer({ ...order(), recipient, amount, memo }),
    /** Signed by our own code, because the SDK builds sources of at most 100,000 characters. */
    deploy(contractName: string, source: string): Signed {
      const { raw, txId } = makeTransaction({
        ...{ network: testNetwork, origin: { account, nonce: BigInt(nonce++) }, fee: BigInt(3000 + source.length) },
        ...{ payload: deployPayload(contractName, source, 3), postConditionMode: 'allow', sign: true },
      });
      return { serializeBytes: () => fromHex(raw), txid: () => txId.slice(2) };
    },
    call(contract: string, functionName: string, functionArgs: ClarityValue[]) {
      const [contractAddress = '', contractName = ''] = contract.split('.');
      const mode = { postConditionMode: PostConditionMode.Allow, validateWithAbi: false };
      return makeContractCall({ ...order(), ...mode, contractAddress, contractName, functionName, functionArgs });
    },
  };
}
