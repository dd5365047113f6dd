import { toHex } from '@cairn-stacks/codec/hex';
import { decodeAccepted, senderPrincipal } from '@cairn-stacks/codec/transaction/transaction';
import { type Static, Type } from 'typebox';
import { droppedStatus, mempoolStatus } from '../../chain/mempool/mempool.ts';
import { newer, PendingStatus, TransactionState } from '../pages/known-values.ts';
import { isoTime } from '../pages/time.ts';
import { renderSigned, type SignedFields, signedFields } from '../transactions/signed-transaction-schema.ts';
import { type PayloadFields, payloadFields, renderPayload } from '../transactions/transaction-payload-schema.ts';
import type { MempoolTransaction as MempoolData } from './mempool-queries.ts';

const waitingFields = {
  tx_status: PendingStatus,
  state: TransactionState,
  replaced_by_tx_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Id of the transaction that replaced this one; null if it was not replaced.',
  }),
  receipt_time: Type.Integer({ description: 'Unix time in seconds at which the transaction arrived.' }),
  receipt_time_iso: Type.String({ description: 'The same time as UTC text.' }),
  size: Type.Optional(
    Type.Integer({ description: 'Bytes of the serialized transaction. Present with `include_size`.' }),
  ),
  awaiting_node_report: Type.Optional(
    Type.Literal(true, {
      description: 'Present if a node accepted the transaction through this service but no node has reported it yet.',
    }),
  ),
};
const common = { ...signedFields, ...waitingFields };

export const MempoolTransaction = Type.Union(
  [
    Type.Object({ ...common, ...payloadFields.token_transfer }, { title: 'TokenTransferMempoolTransaction' }),
    Type.Object({ ...common, ...payloadFields.contract_call }, { title: 'ContractCallMempoolTransaction' }),
    Type.Object({ ...common, ...payloadFields.smart_contract }, { title: 'SmartContractMempoolTransaction' }),
    Type.Object({ ...common, ...payloadFields.coinbase }, { title: 'CoinbaseMempoolTransaction' }),
    Type.Object({ ...common, ...payloadFields.tenure_change }, { title: 'TenureChangeMempoolTransaction' }),
    Type.Object({ ...common, ...payloadFields.poison_microblock }, { title: 'PoisonMicroblockMempoolTransaction' }),
    Type.Object({ ...common, ...payloadFields.unknown }, newer('UnknownMempoolTransaction')),
  ],
  { title: 'MempoolTransaction' },
);

const Waiting = Type.Object(waitingFields);
export type MempoolTransaction = SignedFields & Static<typeof Waiting> & PayloadFields;

/** The public name of the state of a transaction. */
export const mempoolStatusName = ({ status, reason }: Pick<MempoolData, 'status' | 'reason'>) =>
  status === mempoolStatus.dropped ? droppedStatus(reason) : 'pending';

type MempoolTransactionOptions = {
  excludeFunctionArgs?: boolean | undefined;
  withState?: boolean | undefined;
  withSize?: boolean | undefined;
};

/** The one place where a row of the mempool becomes a transaction of the API. */
export function renderMempoolTransaction(
  row: MempoolData,
  options: MempoolTransactionOptions = {},
): MempoolTransaction {
  const transaction = decodeAccepted(row.raw);
  const payload = renderPayload(transaction.payload, senderPrincipal(transaction), {
    functions: row.functions,
    excludeFunctionArgs: options.excludeFunctionArgs,
  });
  return {
    ...renderSigned(row.tx_id, transaction),
    tx_status: mempoolStatusName(row),
    ...(options.withState && row.status !== mempoolStatus.dropped && { state: 'pending' as const }),
    replaced_by_tx_id: row.replaced_by.length === 0 ? null : toHex(row.replaced_by),
    receipt_time: row.received_at,
    receipt_time_iso: isoTime(row.received_at),
    ...(options.withSize && { size: row.raw.length }),
    ...(row.unreported && { awaiting_node_report: true as const }),
    // Last: some clients compare the texts of messages.
    ...payload,
  };
}
