import type { MempoolTransaction, MempoolTransactionSummary } from '../api/schema.ts';

/** A pending transaction as lists show it. */
export function summaryOf(tx: MempoolTransaction): MempoolTransactionSummary {
  const base = {
    tx_id: tx.tx_id,
    sender: { address: tx.sender_address, nonce: tx.nonce },
    sponsor: null,
    fee_rate: tx.fee_rate,
    receipt_time: tx.receipt_time,
    receipt_block_height: 0,
    status: tx.tx_status,
  };
  switch (tx.tx_type) {
    case 'token_transfer': {
      const { recipient_address: recipient, amount } = tx.token_transfer;
      return { ...base, type: 'token_transfer', token_transfer: { recipient, amount, memo: null } };
    }
    case 'contract_call': {
      const { contract_id, function_name } = tx.contract_call;
      return { ...base, type: 'contract_call', contract_call: { contract_id, function_name } };
    }
    case 'smart_contract': {
      const { contract_id, clarity_version } = tx.smart_contract;
      return { ...base, type: 'smart_contract', smart_contract: { contract_id, clarity_version } };
    }
    default:
      return { ...base, type: tx.tx_type } as MempoolTransactionSummary; // these types have no further field in a list
  }
}
