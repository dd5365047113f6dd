import {
  type ClarityValue,
  makeContractCall,
  makeContractDeploy,
  makeSTXTokenTransfer,
  PostConditionMode,
} from '@stacks/transactions';
import { expect } from 'vitest';
import type { Explorer } from './explorer.ts';

/** An account of the devnet that no resident uses. */
export const senderKey = 'b678f68c085644b8f04cb591f76cf6420b37784aeeebdc4480ea90a1c802605d01';
export const recipient = 'STG98GTQNCTMR1R9X9M2RY2JKK5ASTTK5BK5AJXY';

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
    transfer: (amount: number, memo = '') => makeSTXTokenTransfer({ ...order(), recipient, amount, memo }),
    deploy: (contractName: string, codeBody: string) =>
      makeContractDeploy({ ...order(3000 + codeBody.length), contractName, codeBody, clarityVersion: 3 }),
    call(contract: string, functionName: string, functionArgs: ClarityValue[]) {
      const [contractAddress = '', contractName = ''] = contract.split('.');
      const mode = { postConditionMode: PostConditionMode.Allow, validateWithAbi: false };
      return makeContractCall({ ...order(), ...mode, contractAddress, contractName, functionName, functionArgs });
    },
  };
}
