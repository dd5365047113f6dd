import { type Static, Type } from 'typebox';
import { memoLine } from '../../chain/memo.ts';
import { fromHex, toHex } from '../../codec/hex.ts';
import type { Shape } from '../../compat/shape.ts';
import type { SummaryRow } from '../../queries/transactions/summaries.ts';
import { MinedStatus, newer } from '../known-values.ts';
import { CursorList } from '../pages/cursor-list.ts';
import { isoTimeFrom0 } from '../time.ts';
import type { SignedFields } from './signed-transaction.ts';
import { blockTimeOf, minedStatus } from './transaction.ts';
import { renderBytes } from './transaction-bytes.ts';
import { type PayloadFields, TenureCause, UnknownPayload } from './transaction-payload.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const Signer = Type.Object({ address: Type.String(), nonce: Type.Integer() }, { title: 'TransactionSigner' });

/** Who signed a transaction and what it costs. */
export const signerFields = {
  tx_id: Type.String(),
  sender: Signer,
  sponsor: nullable(Signer),
  fee_rate: Type.String({ description: 'The whole fee in micro-STX.' }),
};

const IsoTime = Type.String({ description: 'The same as text, in UTC.' });

/** Where a mined transaction stands, and what came out; times as text since 9.3. */
export const placeFields = {
  block: Type.Object(
    {
      height: Type.Integer(),
      hash: Type.String(),
      index_hash: Type.String(),
      time: Type.Integer({ description: 'Time of the block, or of its Bitcoin block before Nakamoto.' }),
      time_iso: Type.Optional(IsoTime),
      tx_index: Type.Integer(),
    },
    { title: 'TransactionBlock' },
  ),
  bitcoin_block: Type.Object(
    { height: Type.Integer(), time: Type.Integer(), time_iso: Type.Optional(IsoTime) },
    { title: 'TransactionBitcoinBlock' },
  ),
  status: MinedStatus,
};

export const Memo = nullable(
  Type.Object(
    { hex: Type.String(), repr: Type.String({ description: 'Its text in one line, without what cannot be printed.' }) },
    { title: 'Memo' },
  ),
);

export const TransferSummary = Type.Object(
  { recipient: Type.String(), amount: Type.String(), memo: Memo },
  { title: 'TransferSummary' },
);
const CallSummary = Type.Object(
  { contract_id: Type.String(), function_name: Type.String() },
  { title: 'ContractCallSummary' },
);
const DeploySummary = Type.Object(
  { contract_id: Type.String(), clarity_version: nullable(Type.Integer()) },
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

const CoinbaseSummary = Type.Object({ alt_recipient: nullable(Type.String()) }, { title: 'CoinbaseSummary' });
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
      return { ...head, ...renderDeed(fields) };
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
export type Deed = Exclude<PayloadFields, { tx_type: 'coinbase' | 'tenure_change' }>;

/** The same in short. */
export function renderDeed(fields: Deed) {
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

export const renderTransfer = ({ recipient_address, amount, memo }: Transfer) => ({
  recipient: recipient_address,
  amount,
  memo: renderMemo(fromHex(memo)),
});

/** The bytes of a memo with their text; null where there is not even an empty one. */
export const renderMemo = (bytes: Uint8Array) =>
  bytes.length === 0 ? null : { hex: toHex(bytes), repr: memoLine(bytes) };
