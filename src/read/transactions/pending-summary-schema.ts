import { type Static, Type } from 'typebox';
import { mempoolStatusName } from '../mempool/mempool-transaction-schema.ts';
import type { PendingRow } from '../mempool/pending-summaries-queries.ts';
import { CursorList } from '../pages/cursor-list-schema.ts';
import { newer, PendingStatus } from '../pages/known-values.ts';
import { renderSignedBytes } from './transaction-bytes-schema.ts';
import { renderAction, renderSigners, signerFields, summaryPayloads } from './transaction-summary-schema.ts';

/** When a pending transaction came. */
export const receiptFields = {
  receipt_time: Type.Integer({ description: 'Unix time in seconds at which the transaction arrived.' }),
  receipt_block_height: Type.Integer({ description: 'Height of the tip when the transaction arrived.' }),
  status: PendingStatus,
};

/** A fork leaves transactions of miners behind like all others; they say nothing more. */
export const idlePayloads = {
  coinbase: { type: Type.Literal('coinbase') },
  tenure_change: { type: Type.Literal('tenure_change') },
} as const;

const common = { ...signerFields, ...receiptFields };

export const PendingSummary = Type.Union(
  [
    Type.Object({ ...common, ...summaryPayloads.token_transfer }, { title: 'TokenTransferMempoolTransactionSummary' }),
    Type.Object({ ...common, ...summaryPayloads.contract_call }, { title: 'ContractCallMempoolTransactionSummary' }),
    Type.Object({ ...common, ...summaryPayloads.smart_contract }, { title: 'SmartContractMempoolTransactionSummary' }),
    Type.Object({ ...common, ...idlePayloads.coinbase }, { title: 'CoinbaseMempoolTransactionSummary' }),
    Type.Object({ ...common, ...idlePayloads.tenure_change }, { title: 'TenureChangeMempoolTransactionSummary' }),
    Type.Object(
      { ...common, ...summaryPayloads.poison_microblock },
      { title: 'PoisonMicroblockMempoolTransactionSummary' },
    ),
    Type.Object({ ...common, ...summaryPayloads.unknown }, newer('UnknownMempoolTransactionSummary')),
  ],
  { title: 'MempoolTransactionSummary' },
);
type PendingSummary = Static<typeof PendingSummary>;
export const PendingSummaryList = CursorList(PendingSummary, 'MempoolTransactionSummaryList');

/** The one place where a row of the mempool becomes a summary. */
export function renderPending(row: PendingRow): PendingSummary {
  const fields = renderSignedBytes(row, { excludeFunctionArgs: true });
  const head = { ...renderSigners(fields), ...renderReceipt(row) };
  if (fields.tx_type === 'coinbase' || fields.tx_type === 'tenure_change') return { ...head, type: fields.tx_type };
  return { ...head, ...renderAction(fields) };
}

export const renderReceipt = (row: PendingRow) => ({
  receipt_time: row.received_at,
  receipt_block_height: row.received_height,
  status: mempoolStatusName(row),
});
