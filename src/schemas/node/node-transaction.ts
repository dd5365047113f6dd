import { type Static, Type } from 'typebox';

export const TransactionAccepted = Type.String({
  title: 'TransactionAccepted',
  description: 'The id of the transaction, without 0x.',
});

export const TransactionRejection = Type.Object(
  {
    error: Type.String({ description: '`transaction rejected`.' }),
    reason: Type.String({ description: 'As `BadNonce`, `NotEnoughFunds`, `SignatureValidation`.' }),
    reason_data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Depends on the reason.' })),
    txid: Type.String(),
  },
  { title: 'TransactionRejection' },
);
export type TransactionRejection = Static<typeof TransactionRejection>;

export const FeeQuestion = Type.Object(
  {
    transaction_payload: Type.String({ description: 'The serialized payload as hex.' }),
    estimated_len: Type.Optional(Type.Integer({ description: 'Bytes that the whole transaction will have.' })),
  },
  { title: 'FeeQuestion' },
);

const Cost = Type.Object({
  read_count: Type.Integer(),
  read_length: Type.Integer(),
  runtime: Type.Integer(),
  write_count: Type.Integer(),
  write_length: Type.Integer(),
});

export const FeeEstimate = Type.Object(
  {
    estimated_cost: Cost,
    estimated_cost_scalar: Type.Integer(),
    cost_scalar_change_by_byte: Type.Number(),
    estimations: Type.Array(Type.Object({ fee: Type.Integer(), fee_rate: Type.Number() }), {
      description: 'Low, middle and high, in micro-STX.',
    }),
  },
  { title: 'FeeEstimate' },
);

export const TransferFeeRate = Type.Number({
  title: 'TransferFeeRate',
  description: 'Micro-STX for each byte of a plain transfer.',
});
