import { type Static, Type } from 'typebox';
import {
  RosettaBlockIdentifier,
  RosettaMetadata,
  RosettaNetwork,
  RosettaPartialBlock,
  RosettaTransaction,
  RosettaTransactionIdentifier,
} from './rosetta.ts';

export const RosettaBlockRequest = Type.Object(
  { network_identifier: RosettaNetwork, block_identifier: RosettaPartialBlock },
  { additionalProperties: false, title: 'RosettaBlockRequest' },
);

/** The incumbent takes an index of any kind. */
export const RosettaCompatBlockRequest = Type.Object(
  {
    network_identifier: RosettaNetwork,
    block_identifier: Type.Object({ index: Type.Optional(Type.Unknown()), hash: Type.Optional(Type.String()) }),
  },
  { additionalProperties: false },
);

export const RosettaBlock = Type.Object(
  {
    block_identifier: RosettaBlockIdentifier,
    parent_block_identifier: RosettaBlockIdentifier,
    timestamp: Type.Integer({ description: 'Time of the block in Unix milliseconds.' }),
    transactions: Type.Array(RosettaTransaction),
    metadata: Type.Object({ burn_block_height: Type.Integer() }),
  },
  { title: 'RosettaBlock' },
);
export type RosettaBlock = Static<typeof RosettaBlock>;

export const RosettaBlockResponse = Type.Object(
  {
    block: RosettaBlock,
    other_transactions: Type.Optional(
      Type.Array(RosettaTransactionIdentifier, {
        description:
          'What is too much for one response: request each from `/block/transaction`. A transaction with very many events ' +
          'has several parts; the identifier of a further part is the id of the transaction, a hyphen and the number of the part.',
      }),
    ),
  },
  { title: 'RosettaBlockResponse' },
);

export const RosettaBlockTransactionRequest = Type.Object(
  {
    network_identifier: RosettaNetwork,
    block_identifier: Type.Object({
      index: Type.Optional(Type.Integer()),
      hash: Type.Optional(Type.String()),
      metadata: Type.Optional(RosettaMetadata),
    }),
    transaction_identifier: RosettaTransactionIdentifier,
  },
  { additionalProperties: false, title: 'RosettaBlockTransactionRequest' },
);

export const RosettaTransactionResponse = Type.Object(
  { transaction: RosettaTransaction },
  { title: 'RosettaTransactionResponse' },
);

export const RosettaMempoolResponse = Type.Object(
  { transaction_identifiers: Type.Array(RosettaTransactionIdentifier) },
  { title: 'RosettaMempool' },
);

export const RosettaMempoolTransactionRequest = Type.Object(
  { network_identifier: RosettaNetwork, transaction_identifier: RosettaTransactionIdentifier },
  { additionalProperties: false, title: 'RosettaMempoolTransactionRequest' },
);

export const RosettaMempoolTransactionResponse = Type.Object(
  { transaction: RosettaTransaction, metadata: Type.Optional(RosettaMetadata) },
  { title: 'RosettaMempoolTransactionResponse' },
);
