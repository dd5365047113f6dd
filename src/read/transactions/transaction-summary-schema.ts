import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { memoLine } from '../../chain/memo.ts';
import type { Shape } from '../../compat/shape.ts';
import { CursorList, FilteredCursorList } from '../pages/cursor-list-schema.ts';
import { MinedStatus, newer } from '../pages/known-values.ts';
import { isoTimeFrom0 } from '../pages/time.ts';
import type { SignedFields } from './signed-transaction-schema.ts';
import type { SummaryRow } from './summaries-queries.ts';
import { renderBytes } from './transaction-bytes-schema.ts';
import { type PayloadFields, TenureCause, UnknownPayload } from './transaction-payload-schema.ts';
import { blockTimeOf, minedStatus } from './transaction-schema.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const Signer = Type.Object(
  { address: Type.String(), nonce: Type.Integer({ description: 'Nonce of the account.' }) },
  { title: 'TransactionSigner' },
);

/** The signers and the fee of a transaction. */
export const signerFields = {
  tx_id: Type.String({ description: 'Id of the transaction.' }),
  sender: Signer,
  sponsor: Type.Union([Signer, Type.Null()], { description: 'The sponsor that pays the fee; null if there is none.' }),
  fee_rate: Type.String({ description: 'Total fee in micro-STX.' }),
};

const IsoTime = Type.String({ description: 'The same time as UTC text. Present since version 9.3 of the API.' });

/** The position and the result of a mined transaction; times as text since 9.3. */
export const placeFields = {
  block: Type.Object(
    {
      height: Type.Integer({ description: 'Height of the block.' }),
      hash: Type.String(),
      index_hash: Type.String({ description: 'Index block hash.' }),
      time: Type.Integer({
        description: 'Time of the block in Unix seconds; before Nakamoto the time of its Bitcoin block.',
      }),
      time_iso: Type.Optional(IsoTime),
      tx_index: Type.Integer({ description: 'Index of the transaction in the block.' }),
    },
    { title: 'TransactionBlock' },
  ),
  bitcoin_block: Type.Object(
    {
      height: Type.Integer({ description: 'Height of the block.' }),
      time: Type.Integer({ description: 'Unix time in seconds.' }),
      time_iso: Type.Optional(IsoTime),
    },
    { title: 'TransactionBitcoinBlock' },
  ),
  status: MinedStatus,
};

export const Memo = nullable(
  Type.Object(
    {
      hex: Type.String({ description: 'Memo in hex.' }),
      repr: Type.String({ description: 'Printable characters of the memo as one line of text.' }),
    },
    { title: 'Memo', description: 'Memo of the transfer; null if there is none.' },
  ),
);

export const TransferSummary = Type.Object(
  {
    recipient: Type.String({ description: 'Principal that receives the STX.' }),
    amount: Type.String({ description: 'Amount in micro-STX.' }),
    memo: Memo,
  },
  { title: 'TransferSummary' },
);
const CallSummary = Type.Object(
  {
    contract_id: Type.String({ description: 'Contract identifier: `ADDRESS.NAME`.' }),
    function_name: Type.String({ description: 'Name of the called function.' }),
  },
  { title: 'ContractCallSummary' },
);
const DeploySummary = Type.Object(
  {
    contract_id: Type.String({ description: 'Contract identifier: `ADDRESS.NAME`.' }),
    clarity_version: nullable(Type.Integer({ description: 'Null if the transaction declares no Clarity version.' })),
  },
  { title: 'SmartContractSummary' },
);

/** What a transaction does, in short; pending ones say no more than this. */
export const summaryPayloads = {
  token_transfer: { type: Type.Literal('token_transfer'), token_transfer: TransferSummary },
  contract_call: { type: Type.Literal('contract_call'), contract_call: CallSummary },
  smart_contract: { type: Type.Literal('smart_contract'), smart_contract: DeploySummary },
  poison_microblock: { type: Type.Literal('poison_microblock') },
  unknown: { type: Type.Literal('unknown'), unknown: UnknownPayload },
} as const;

const CoinbaseSummary = Type.Object(
  {
    alt_recipient: Type.Union([Type.String(), Type.Null()], {
      description: 'Principal that receives the reward instead of the sender; null if there is none.',
    }),
  },
  { title: 'CoinbaseSummary' },
);
const TenureSummary = Type.Object({ cause: TenureCause }, { title: 'TenureChangeSummary' });
const minerPayloads = {
  coinbase: { type: Type.Literal('coinbase'), coinbase: CoinbaseSummary },
  tenure_change: { type: Type.Literal('tenure_change'), tenure_change: TenureSummary },
} as const;

const common = { ...signerFields, ...placeFields };

export const TransactionSummary = Type.Union(
  [
    Type.Object({ ...common, ...summaryPayloads.token_transfer }, { title: 'TokenTransferTransactionSummary' }),
    Type.Object({ ...common, ...summaryPayloads.contract_call }, { title: 'ContractCallTransactionSummary' }),
    Type.Object({ ...common, ...summaryPayloads.smart_contract }, { title: 'SmartContractTransactionSummary' }),
    Type.Object({ ...common, ...minerPayloads.coinbase }, { title: 'CoinbaseTransactionSummary' }),
    Type.Object({ ...common, ...minerPayloads.tenure_change }, { title: 'TenureChangeTransactionSummary' }),
    Type.Object({ ...common, ...summaryPayloads.poison_microblock }, { title: 'PoisonMicroblockTransactionSummary' }),
    Type.Object({ ...common, ...summaryPayloads.unknown }, newer('UnknownTransactionSummary')),
  ],
  { title: 'TransactionSummary' },
);
export type TransactionSummary = Static<typeof TransactionSummary>;
export const TransactionSummaryList = CursorList(TransactionSummary, 'TransactionSummaryList');

/** The same of a list that takes filters. */
export const FilteredSummaryList = FilteredCursorList(TransactionSummary, 'FilteredTransactionSummaryList');

/** The one place where a mined transaction becomes a summary. */
export function renderSummary(row: SummaryRow, shape: Shape): TransactionSummary {
  const fields = renderBytes(row, { excludeFunctionArgs: true });
  const head = { ...renderSigners(fields), ...renderPlace(row, shape) };
  switch (fields.tx_type) {
    case 'coinbase': {
      const { alt_recipient } = fields.coinbase_payload;
      return { ...head, type: 'coinbase', coinbase: { alt_recipient } };
    }
    case 'tenure_change':
      return { ...head, type: 'tenure_change', tenure_change: { cause: fields.tenure_change_payload.cause } };
    default:
      return { ...head, ...renderAction(fields) };
  }
}

export const renderSigners = (signed: SignedFields) => ({
  tx_id: signed.tx_id,
  sender: { address: signed.sender_address, nonce: signed.nonce },
  sponsor:
    signed.sponsor_address === undefined ? null : { address: signed.sponsor_address, nonce: signed.sponsor_nonce ?? 0 },
  fee_rate: signed.fee_rate,
});

export const renderPlace = (row: SummaryRow, shape: Shape) => {
  const time = blockTimeOf(row);
  return {
    block: {
      height: row.height,
      hash: toHex(row.block_hash),
      index_hash: toHex(row.index_hash),
      time,
      ...isoOf(time, shape),
      tx_index: row.tx_index,
    },
    bitcoin_block: { height: row.burn_height, time: row.burn_time, ...isoOf(row.burn_time, shape) },
    status: minedStatus(row),
  };
};

/** A time as text, where the shape has it. */
export const isoOf = (seconds: number, shape: Shape) => shape === '9.3' && { time_iso: isoTimeFrom0(seconds) };

/** What anyone may do; the rest only miners do. */
export type ActionFields = Exclude<PayloadFields, { tx_type: 'coinbase' | 'tenure_change' }>;

/** What a transaction does, in short. */
export function renderAction(fields: ActionFields) {
  switch (fields.tx_type) {
    case 'token_transfer':
      return { type: fields.tx_type, token_transfer: renderTransfer(fields.token_transfer) };
    case 'contract_call': {
      const { contract_id, function_name } = fields.contract_call;
      return { type: fields.tx_type, contract_call: { contract_id, function_name } };
    }
    case 'smart_contract': {
      const { contract_id, clarity_version } = fields.smart_contract;
      return { type: fields.tx_type, smart_contract: { contract_id, clarity_version } };
    }
    case 'poison_microblock':
      return { type: fields.tx_type };
    case 'unknown':
      return { type: fields.tx_type, unknown: fields.unknown_payload };
  }
}

type Transfer = Extract<PayloadFields, { tx_type: 'token_transfer' }>['token_transfer'];

const renderTransfer = ({ recipient_address, amount, memo }: Transfer) => ({
  recipient: recipient_address,
  amount,
  memo: renderMemo(fromHex(memo)),
});

/** The bytes of a memo with their text; null where there is not even an empty one. */
export const renderMemo = (bytes: Uint8Array) =>
  bytes.length === 0 ? null : { hex: toHex(bytes), repr: memoLine(bytes) };
