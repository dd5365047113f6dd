import { type Static, Type } from 'typebox';
import { NakamotoBlock } from '../read/blocks/block-schema.ts';
import { ClarityText } from '../read/contracts/clarity-schema.ts';
import { TransactionEvent } from '../read/events/event-schema.ts';
import { SbtcEvent } from '../read/sbtc/sbtc-event-schema.ts';
import { PendingSummary } from '../read/transactions/pending-summary-schema.ts';
import { TransactionSummary } from '../read/transactions/transaction-summary-schema.ts';

const nullable = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const eventFields = {
  tx_id: Type.String({ description: 'Id of the transaction.' }),
  event_index: Type.Integer({ description: 'Index of the event in the transaction.' }),
};

export const StreamTransfer = Type.Object(
  {
    ...eventFields,
    asset: Type.String({ description: '`STX`, or the asset: `CONTRACT_ID::ASSET_NAME`.' }),
    type: Type.Union([Type.Literal('transfer'), Type.Literal('mint'), Type.Literal('burn')]),
    sender: nullable(Type.String(), 'Null for a mint.'),
    recipient: nullable(Type.String(), 'Null for a burn.'),
    amount: Type.String({ description: 'Amount in the smallest unit; `1` for an NFT.' }),
    value: nullable(ClarityText, 'The id of the NFT; null for other assets.'),
  },
  { title: 'StreamTransfer' },
);
export type StreamTransfer = Static<typeof StreamTransfer>;

export const StreamContractLog = Type.Object(
  {
    ...eventFields,
    contract_id: Type.String({ description: 'Contract that printed the value.' }),
    topic: Type.Literal('print'),
    value: ClarityText,
  },
  { title: 'StreamContractLog' },
);
export type StreamContractLog = Static<typeof StreamContractLog>;

export const StreamPosition = Type.String({
  description: 'The position after this message. Give it back as `after` to receive what follows.',
});

const BlockReference = Type.Object(
  { height: Type.Integer(), index_block_hash: Type.String() },
  { title: 'StreamBlockReference' },
);

const ApplyMessage = Type.Object(
  {
    type: Type.Literal('apply'),
    position: StreamPosition,
    block: NakamotoBlock,
    transactions: Type.Optional(Type.Array(TransactionSummary)),
    events: Type.Optional(Type.Array(TransactionEvent)),
    transfers: Type.Optional(Type.Array(StreamTransfer)),
    contract_logs: Type.Optional(Type.Array(StreamContractLog)),
    sbtc: Type.Optional(Type.Array(SbtcEvent)),
    more: Type.Boolean({ description: 'True if another message continues this block.' }),
  },
  { title: 'StreamApply', description: 'A block, or a part of it, was added to the chain.' },
);

const RollbackMessage = Type.Object(
  {
    type: Type.Literal('rollback'),
    position: StreamPosition,
    from: BlockReference,
    to: BlockReference,
    removed: Type.Array(Type.String(), { description: 'Index block hashes of the removed blocks, the highest first.' }),
  },
  { title: 'StreamRollback', description: 'A fork removed all blocks above `to`.' },
);

const MempoolMessage = Type.Object(
  {
    type: Type.Literal('mempool'),
    position: StreamPosition,
    transactions: Type.Array(PendingSummary, { description: 'Transactions that arrived, returned or were dropped.' }),
  },
  { title: 'StreamMempool' },
);

export const StreamMessage = Type.Union([ApplyMessage, RollbackMessage, MempoolMessage], { title: 'StreamMessage' });
