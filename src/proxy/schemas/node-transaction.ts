import { type Static, Type } from 'typebox';

export const TransactionAccepted = Type.String({
  title: 'TransactionAccepted',
  description: 'Id of the transaction in hex, without `0x`.',
});

export const TransactionRejection = Type.Object(
  {
    error: Type.String({ description: 'Always `transaction rejected`.' }),
    reason: Type.String({
      description: 'Reason of the rejection, such as `BadNonce`, `NotEnoughFunds` or `SignatureValidation`.',
    }),
    reason_data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Details; the fields depend on the reason.' }),
    ),
    txid: Type.String({ description: 'Id of the transaction in hex.' }),
  },
  { title: 'TransactionRejection' },
);
export type TransactionRejection = Static<typeof TransactionRejection>;

export const FeeQuestion = Type.Object(
  {
    transaction_payload: Type.String({ description: 'The serialized transaction payload in hex.' }),
    estimated_len: Type.Optional(Type.Integer({ description: 'Expected size of the whole transaction in bytes.' })),
  },
  { title: 'FeeQuestion' },
);

const Cost = Type.Object({
  read_count: Type.Integer({ description: 'Number of read operations.' }),
  read_length: Type.Integer({ description: 'Bytes read.' }),
  runtime: Type.Integer({ description: 'Runtime cost, in cost units.' }),
  write_count: Type.Integer({ description: 'Number of write operations.' }),
  write_length: Type.Integer({ description: 'Bytes written.' }),
});

export const FeeEstimate = Type.Object(
  {
    estimated_cost: Cost,
    estimated_cost_scalar: Type.Integer({ description: 'Estimated cost as one number.' }),
    cost_scalar_change_by_byte: Type.Number(),
    estimations: Type.Array(
      Type.Object({
        fee: Type.Integer({ description: 'Total fee in micro-STX.' }),
        fee_rate: Type.Number({ description: 'Fee in micro-STX per unit of cost.' }),
      }),
      {
        description: 'Low, middle and high estimate.',
      },
    ),
  },
  { title: 'FeeEstimate' },
);

export const TransferFeeRate = Type.Number({
  title: 'TransferFeeRate',
  description: 'Fee rate of STX transfers in micro-STX per byte.',
});
