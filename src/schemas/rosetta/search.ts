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
      Type.Union([Type.Literal('and'), Type.Literal('or')], { description: '`or` only with a single condition.' }),
    ),
    max_block: Type.Optional(Type.Integer({ minimum: 0, maximum: LARGEST, description: 'Nothing above this height.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: LARGEST })),
    limit: Type.Optional(Type.Integer({ minimum: 1, description: 'At most 100 are answered.' })),
    transaction_identifier: Type.Optional(RosettaTransactionIdentifier),
    account_identifier: Type.Optional(RosettaAccount),
    address: Type.Optional(Type.String({ description: 'The same as an account.' })),
    type: Type.Optional(Type.String({ description: 'Type of a transaction, as `token_transfer`.' })),
    status: Type.Optional(Type.String({ description: 'Only together with a transaction.' })),
    success: Type.Optional(Type.Boolean({ description: 'Only together with a transaction.' })),
    currency: Type.Optional(RosettaCurrency),
    coin_identifier: Type.Optional(Type.Object({ identifier: Type.String() }, { description: 'Refused.' })),
  },
  { additionalProperties: false, title: 'RosettaSearchRequest' },
);

export const RosettaSearchAnswer = Type.Object(
  {
    transactions: Type.Array(
      Type.Object({ block_identifier: RosettaBlockIdentifier, transaction: RosettaTransaction }),
      { description: 'Newest first.' },
    ),
    total_count: Type.Integer({ minimum: 0 }),
    next_offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Absent on the last page.' })),
  },
  { title: 'RosettaSearchAnswer' },
);

export const RosettaEventsRequest = Type.Object(
  {
    network_identifier: RosettaNetwork,
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'First sequence; without it the newest events.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, description: 'At most 1000 are answered.' })),
  },
  { additionalProperties: false, title: 'RosettaEventsRequest' },
);

export const RosettaEvents = Type.Object(
  {
    max_sequence: Type.Integer({ minimum: 0, description: 'The newest event there is.' }),
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
    method: Type.String({ description: 'One of `call_methods` of `/network/options`.' }),
    parameters: Type.Optional(RosettaMetadata),
  },
  { additionalProperties: false, title: 'RosettaCallRequest' },
);

export const RosettaCallAnswer = Type.Object(
  {
    result: RosettaMetadata,
    idempotent: Type.Boolean({ description: 'Whether the same call will always answer the same.' }),
  },
  { title: 'RosettaCallAnswer' },
);
