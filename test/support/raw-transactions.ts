import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import {
  addressFromVersionHash,
  addressHashModeToVersion,
  addressToString,
  deserializeTransaction,
  PayloadType,
} from '@stacks/transactions';

/** A transaction as the messages of blocks have it, its bytes read by the official library. */
export type RawTransaction = {
  id: string;
  height: number;
  /** Position in its block. */
  index: number;
  burnTime: number;
  type: string;
  status: string;
  sender: string;
  nonce: number;
  fee: number;
  /** The contract that is deployed or called. */
  contract?: string | undefined;
  /** The function that is called. */
  call?: string | undefined;
};

type RawBody = {
  block_height: number;
  burn_block_time: number;
  transactions: { txid: string; tx_index: number; status: string; raw_tx: string }[];
};

const typeNames: Record<PayloadType, string> = {
  [PayloadType.TokenTransfer]: 'token_transfer',
  [PayloadType.SmartContract]: 'smart_contract',
  [PayloadType.VersionedSmartContract]: 'smart_contract',
  [PayloadType.ContractCall]: 'contract_call',
  [PayloadType.PoisonMicroblock]: 'poison_microblock',
  [PayloadType.Coinbase]: 'coinbase',
  [PayloadType.CoinbaseToAltRecipient]: 'coinbase',
  [PayloadType.NakamotoCoinbase]: 'coinbase',
  [PayloadType.TenureChange]: 'tenure_change',
};
/** Every transaction of some blocks of a testnet, in the order of the messages; block 0 is shown in block 1. */
export const rawTransactions = (blocks: readonly BuiltBlock[]): RawTransaction[] =>
  blocks.flatMap(block => {
    const body = block.body as unknown as RawBody;
    return body.transactions.map(({ txid, tx_index, status, raw_tx }) => {
      const { auth, payload } = deserializeTransaction(raw_tx);
      const { hashMode, signer, nonce } = auth.spendingCondition;
      const version = addressHashModeToVersion(hashMode, 'testnet');
      const sender = addressToString(addressFromVersionHash(version, signer));
      const payer = 'sponsorSpendingCondition' in auth ? auth.sponsorSpendingCondition : auth.spendingCondition;
      const called = payload.payloadType === PayloadType.ContractCall ? payload : undefined;
      const deployed = 'codeBody' in payload ? `${sender}.${payload.contractName.content}` : undefined;
      return {
        id: txid,
        height: Math.max(body.block_height, 1),
        index: tx_index,
        burnTime: body.burn_block_time,
        type: typeNames[payload.payloadType],
        status,
        sender,
        nonce: Number(nonce),
        fee: Number(payer.fee),
        contract: called ? `${addressToString(called.contractAddress)}.${called.contractName.content}` : deployed,
        call: called?.functionName.content,
      };
    });
  });
