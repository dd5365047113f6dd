import { Type } from 'typebox';
import {
  RosettaAccount,
  RosettaBlockIdentifier,
  RosettaCurrency,
  RosettaMetadata,
  RosettaNetwork,
  RosettaTransaction,
  RosettaTransactionIdentifier,
} from './rosetta.ts';

const LARGEST = 2_147_483_647;

export const RosettaSearchRequest = Type.Object(
  {
    network_identifier: RosettaNetwork,
    operator: Type.Optional(
      Type.Union([Type.Literal('and'), Type.Literal('or')], {
        description:
          'How conditions are combined. The default is `and`; `or` is accepted only with a single condition.',
      }),
    ),
    max_block: Type.Optional(
      Type.Integer({ minimum: 0, maximum: LARGEST, description: 'Highest block height to search.' }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: LARGEST })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Maximum number of transactions to return. The default is 20; more than 100 counts as 100.',
      }),
    ),
    transaction_identifier: Type.Optional(RosettaTransactionIdentifier),
    account_identifier: Type.Optional(RosettaAccount),
    address: Type.Optional(Type.String({ description: 'Address of an account; the same as `account_identifier`.' })),
    type: Type.Optional(Type.String({ description: 'Type of the transaction, such as `token_transfer`.' })),
    status: Type.Optional(Type.String({ description: 'Accepted only with `transaction_identifier`.' })),
    success: Type.Optional(Type.Boolean({ description: 'Accepted only with `transaction_identifier`.' })),
    currency: Type.Optional(RosettaCurrency),
    coin_identifier: Type.Optional(
      Type.Object({ identifier: Type.String() }, { description: 'Rejected: Stacks has no coins.' }),
    ),
  },
  { additionalProperties: false, title: 'RosettaSearchRequest' },
);

export const RosettaSearchResponse = Type.Object(
  {
    transactions: Type.Array(
      Type.Object({ block_identifier: RosettaBlockIdentifier, transaction: RosettaTransaction }),
      { description: 'Transactions, newest first.' },
    ),
    total_count: Type.Integer({ minimum: 0 }),
    next_offset: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Offset of the next page; absent on the last page.' }),
    ),
  },
  { title: 'RosettaSearchResponse' },
);

export const RosettaEventsRequest = Type.Object(
  {
    network_identifier: RosettaNetwork,
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Sequence of the first event. Without it the newest events are returned.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Maximum number of events to return. The default is 100; more than 1,000 counts as 1,000.',
      }),
    ),
  },
  { additionalProperties: false, title: 'RosettaEventsRequest' },
);

export const RosettaEvents = Type.Object(
  {
    max_sequence: Type.Integer({ minimum: 0, description: 'Sequence of the newest event.' }),
    events: Type.Array(
      Type.Object({
        sequence: Type.Integer({ minimum: 0 }),
        block_identifier: RosettaBlockIdentifier,
        type: Type.Union([Type.Literal('block_added'), Type.Literal('block_removed')]),
      }),
    ),
  },
  { title: 'RosettaEvents' },
);

export const RosettaCallRequest = Type.Object(
  {
    network_identifier: RosettaNetwork,
    method: Type.String({ description: 'Name of the method: one of `call_methods` of `/network/options`.' }),
    parameters: Type.Optional(RosettaMetadata),
  },
  { additionalProperties: false, title: 'RosettaCallRequest' },
);

export const RosettaCallResponse = Type.Object(
  {
    result: RosettaMetadata,
    idempotent: Type.Boolean({ description: 'Whether the same call always returns the same result.' }),
  },
  { title: 'RosettaCallResponse' },
);
