import { callPayload, deployPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { makeTransaction } from '@cairn-stacks/devnet/residents/wallet';
import { testNetwork } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages of any shape
type Json = any;

/** Whoever sends what is added to the messages of blocks. */
export const author = accountAt(900, false);

/** Reserved names that a trait may demand, and those with every character that a name may have. */
export const functionNames = ['slice?', 'stacks-block-height', 'a!b*c/d=e+f<g>h_i-j?', '<=', '+', '*', '/'];

/** A contract principal whose name is longer than a deployed contract may have: 41 to 128 characters. */
export const longPrincipal = (length: number) => `${author.address}.${'l'.repeat(length)}`;

/** A copy of the message of a block, to which transactions and events are added as a node after 4.0.2 sends them. */
export function extendBlock(message: Message) {
  const body = structuredClone(message.body) as Json;
  const add = (payload: Payload, nonce: number, more: object = {}): string => {
    const origin = { account: author, nonce: BigInt(nonce) };
    const { raw, txId } = makeTransaction({ network: testNetwork, origin, fee: 0n, payload, sign: false });
    body.transactions.push({
      ...{ txid: txId, tx_index: body.transactions.length, status: 'success', raw_result: '0x0703', raw_tx: raw },
      ...{ contract_interface: null, burnchain_op: null, execution_cost: null, vm_error: null },
      ...{ microblock_sequence: null, microblock_hash: null, microblock_parent_hash: null },
      ...more,
    });
    return txId;
  };
  return {
    message: { path: message.path, body },
    body,
    call: (contract: string, name: string, nonce: number, args: Parameters<typeof callPayload>[2] = [], more = {}) =>
      add(callPayload(contract, name, args), nonce, more),
    /** Of Clarity 7, which its payload names or not. */
    deploy(name: string, nonce: number, { functions = [], ...more }: { functions?: object[]; version?: number } = {}) {
      const abi = { functions, variables: [], maps: [], fungible_tokens: [], non_fungible_tokens: [] };
      const contract_interface = { ...abi, epoch: 'Epoch41', clarity_version: 'Clarity7' };
      return add(deployPayload(name, '(ok true)', more.version), nonce, { contract_interface });
    },
    event: (txid: string, type: string, fields: object) =>
      body.events.push({ txid, event_index: 100_000 + body.events.length, committed: true, type, [type]: fields }),
  };
}
