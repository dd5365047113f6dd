import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { unpackCost } from '../../chain/execution-cost.ts';
import type { Shape } from '../../compat/shape.ts';
import { ClarityText } from '../contracts/clarity-schema.ts';
import type { PendingRow } from '../mempool/pending-summaries-queries.ts';
import { newer } from '../pages/known-values.ts';
import { ExecutionCost, renderExecutionCost } from './execution-cost-schema.ts';
import { idlePayloads, receiptFields, renderReceipt } from './pending-summary-schema.ts';
import { PostCondition } from './post-condition-schema.ts';
import type { SignedFields } from './signed-transaction-schema.ts';
import type { DetailRow } from './summaries-queries.ts';
import { renderBytes, renderSignedBytes } from './transaction-bytes-schema.ts';
import { TenureChangePayload } from './transaction-payload-schema.ts';
import {
  type ActionFields,
  placeFields,
  renderAction,
  renderPlace,
  renderSigners,
  signerFields,
  summaryPayloads,
  TransferSummary,
} from './transaction-summary-schema.ts';

/** Optional fields, included on request; they can be large. */
export const inclusions = ['function_args', 'source_code', 'post_conditions', 'result'] as const;
type Inclusion = (typeof inclusions)[number];

const textOrNull = Type.Union([Type.String(), Type.Null()]);
const onRequest = <T extends Type.TSchema>(schema: T) => Type.Optional(schema);
const included = {
  post_conditions: onRequest(
    Type.Array(PostCondition, { description: 'Present only with `include=post_conditions`.' }),
  ),
};

const minedFields = {
  ...signerFields,
  ...placeFields,
  ...included,
  parent_block: Type.Object({ hash: Type.String(), index_hash: Type.String() }, { title: 'ParentBlock' }),
  event_count: Type.Integer({ description: 'Number of events.' }),
  execution_cost: ExecutionCost,
  vm_error: Type.Union([Type.String(), Type.Null()], {
    description: 'Error of the Clarity VM; null if there was none.',
  }),
  result: onRequest(ClarityText),
};
const pendingFields = {
  ...signerFields,
  ...receiptFields,
  ...included,
  replaced_by_tx_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Id of the transaction that replaced this one; null if it was not replaced.',
  }),
};

const payloads = {
  token_transfer: { type: Type.Literal('token_transfer'), token_transfer: TransferSummary },
  contract_call: {
    type: Type.Literal('contract_call'),
    contract_call: Type.Object(
      {
        contract_id: Type.String({ description: 'Contract identifier: `ADDRESS.NAME`.' }),
        function_name: Type.String(),
        function_args: onRequest(
          Type.Array(ClarityText, { description: 'Present only with `include=function_args`.' }),
        ),
      },
      { title: 'ContractCallDetail' },
    ),
  },
  smart_contract: {
    type: Type.Literal('smart_contract'),
    smart_contract: Type.Object(
      {
        contract_id: Type.String({ description: 'Contract identifier: `ADDRESS.NAME`.' }),
        clarity_version: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Declared Clarity version; null if the transaction declares none.',
        }),
        source_code: onRequest(Type.String({ description: 'Present only with `include=source_code`.' })),
      },
      { title: 'SmartContractDetail' },
    ),
  },
  coinbase: {
    type: Type.Literal('coinbase'),
    coinbase: Type.Object(
      {
        payload: Type.String({ description: 'Coinbase buffer: 32 bytes in hex.' }),
        alt_recipient: textOrNull,
        vrf_proof: textOrNull,
      },
      {
        title: 'CoinbaseDetail',
        description: '`alt_recipient` is null if the sender is rewarded; `vrf_proof` is null before Nakamoto.',
      },
    ),
  },
  tenure_change: { type: Type.Literal('tenure_change'), tenure_change: TenureChangePayload },
  poison_microblock: { type: Type.Literal('poison_microblock') },
} as const;

export const TransactionDetail = Type.Union(
  [
    Type.Object({ ...minedFields, ...payloads.token_transfer }, { title: 'TokenTransferTransactionDetail' }),
    Type.Object({ ...minedFields, ...payloads.contract_call }, { title: 'ContractCallTransactionDetail' }),
    Type.Object({ ...minedFields, ...payloads.smart_contract }, { title: 'SmartContractTransactionDetail' }),
    Type.Object({ ...minedFields, ...payloads.coinbase }, { title: 'CoinbaseTransactionDetail' }),
    Type.Object({ ...minedFields, ...payloads.tenure_change }, { title: 'TenureChangeTransactionDetail' }),
    Type.Object({ ...minedFields, ...payloads.poison_microblock }, { title: 'PoisonMicroblockTransactionDetail' }),
    Type.Object({ ...minedFields, ...summaryPayloads.unknown }, newer('UnknownTransactionDetail')),
  ],
  { title: 'TransactionDetail' },
);
export type TransactionDetail = Static<typeof TransactionDetail>;

export const PendingDetail = Type.Union(
  [
    Type.Object({ ...pendingFields, ...payloads.token_transfer }, { title: 'TokenTransferMempoolTransactionDetail' }),
    Type.Object({ ...pendingFields, ...payloads.contract_call }, { title: 'ContractCallMempoolTransactionDetail' }),
    Type.Object({ ...pendingFields, ...payloads.smart_contract }, { title: 'SmartContractMempoolTransactionDetail' }),
    Type.Object({ ...pendingFields, ...idlePayloads.coinbase }, { title: 'CoinbaseMempoolTransactionDetail' }),
    Type.Object({ ...pendingFields, ...idlePayloads.tenure_change }, { title: 'TenureChangeMempoolTransactionDetail' }),
    Type.Object(
      { ...pendingFields, ...payloads.poison_microblock },
      { title: 'PoisonMicroblockMempoolTransactionDetail' },
    ),
    Type.Object({ ...pendingFields, ...summaryPayloads.unknown }, newer('UnknownMempoolTransactionDetail')),
  ],
  { title: 'MempoolTransactionDetail' },
);
export type PendingDetail = Static<typeof PendingDetail>;

/** A mined transaction with the requested optional fields. */
export function renderDetail(row: DetailRow, include: readonly Inclusion[], shape: Shape): TransactionDetail {
  const fields = renderBytes(row, { excludeFunctionArgs: !include.includes('function_args') });
  const head = {
    ...renderSigners(fields),
    ...renderPlace(row, shape),
    parent_block: { hash: toHex(row.parent_hash), index_hash: toHex(row.parent_index_hash) },
    event_count: row.event_count,
    execution_cost: renderExecutionCost(unpackCost(row.cost)),
    vm_error: row.vm_error === '' ? null : row.vm_error,
    ...renderConditions(fields, include),
    ...(include.includes('result') && { result: clarityJson(row.result) }),
  };
  switch (fields.tx_type) {
    case 'coinbase': {
      const { data, alt_recipient, vrf_proof = null } = fields.coinbase_payload;
      return { ...head, type: 'coinbase', coinbase: { payload: data, alt_recipient, vrf_proof } };
    }
    case 'tenure_change':
      return { ...head, type: 'tenure_change', tenure_change: fields.tenure_change_payload };
    default:
      return { ...head, ...renderFullAction(fields, include) };
  }
}

/** All of a pending one. */
export function renderPendingDetail(row: PendingRow, include: readonly Inclusion[]): PendingDetail {
  const fields = renderSignedBytes(row, { excludeFunctionArgs: !include.includes('function_args') });
  const head = {
    ...renderSigners(fields),
    ...renderReceipt(row),
    ...renderConditions(fields, include),
    replaced_by_tx_id: row.replaced_by.length === 0 ? null : toHex(row.replaced_by),
  };
  if (fields.tx_type === 'coinbase' || fields.tx_type === 'tenure_change') return { ...head, type: fields.tx_type };
  return { ...head, ...renderFullAction(fields, include) };
}

const renderConditions = ({ post_conditions }: SignedFields, include: readonly Inclusion[]) =>
  include.includes('post_conditions') && { post_conditions };

/** A summary with the requested optional fields. */
function renderFullAction(fields: ActionFields, include: readonly Inclusion[]) {
  switch (fields.tx_type) {
    case 'contract_call': {
      const { contract_id, function_name, function_args } = fields.contract_call;
      const values = function_args?.map(({ hex, repr }) => ({ hex, repr }));
      const call = { contract_id, function_name, ...(values && { function_args: values }) };
      return { type: fields.tx_type, contract_call: call };
    }
    case 'smart_contract': {
      const { contract_id, clarity_version, source_code } = fields.smart_contract;
      const source = include.includes('source_code') && { source_code };
      return { type: fields.tx_type, smart_contract: { contract_id, clarity_version, ...source } };
    }
    default:
      return renderAction(fields);
  }
}
