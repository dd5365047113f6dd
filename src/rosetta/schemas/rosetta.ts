import { type Static, Type } from 'typebox';

/** Shapes that many requests and responses of the Mesh (Rosetta) API share. */

export const RosettaNetwork = Type.Object(
  {
    blockchain: Type.String({ description: 'Always `stacks`.' }),
    network: Type.String({ description: '`mainnet` or `testnet`.' }),
  },
  { title: 'RosettaNetwork' },
);

export const RosettaMetadata = Type.Record(Type.String(), Type.Unknown());

/** Names a block in a request: by height, by hash, or by both. */
export const RosettaPartialBlock = Type.Object(
  {
    index: Type.Optional(Type.Integer({ description: 'Height of the block, from 0 on.' })),
    hash: Type.Optional(
      Type.String({
        description: 'Hash of the block in hex, with or without `0x`. With `index`, both must name the same block.',
      }),
    ),
  },
  { title: 'RosettaPartialBlock' },
);
export type RosettaPartialBlock = Static<typeof RosettaPartialBlock>;

export const RosettaBlockIdentifier = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Height of the block.' }),
    hash: Type.String({ description: 'Hash of the block.' }),
  },
  { title: 'RosettaBlockIdentifier' },
);
export type RosettaBlockIdentifier = Static<typeof RosettaBlockIdentifier>;

export const RosettaTransactionIdentifier = Type.Object(
  { hash: Type.String({ description: 'Id of the transaction in hex.' }) },
  { title: 'RosettaTransactionIdentifier' },
);

export const RosettaAccount = Type.Object(
  {
    address: Type.String({ description: 'Address or contract identifier.' }),
    sub_account: Type.Optional(
      Type.Object({
        address: Type.String({
          description:
            'Part of the balance: `SpendableBalance`, `StackedBalance` (or `locked`), `VestingLockedBalance` or `VestingUnlockedBalance`.',
        }),
        metadata: Type.Optional(RosettaMetadata),
      }),
    ),
    metadata: Type.Optional(RosettaMetadata),
  },
  { title: 'RosettaAccount' },
);
export type RosettaAccount = Static<typeof RosettaAccount>;

export const RosettaCurrency = Type.Object(
  {
    symbol: Type.String({ description: '`STX`, or the name of the asset of a token.' }),
    decimals: Type.Integer({ minimum: 0 }),
    metadata: Type.Optional(RosettaMetadata),
  },
  { title: 'RosettaCurrency' },
);

export const RosettaAmount = Type.Object(
  {
    value: Type.String({
      pattern: '^(0|[+-]?[1-9][0-9]*)$',
      description: 'Amount in micro-STX or the smallest unit of a token, as an integer without leading zeros.',
    }),
    currency: RosettaCurrency,
    metadata: Type.Optional(RosettaMetadata),
  },
  { title: 'RosettaAmount' },
);
export type RosettaAmount = Static<typeof RosettaAmount>;

const OperationIdentifier = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  network_index: Type.Optional(Type.Integer({ minimum: 0 })),
});

export const RosettaOperation = Type.Object(
  {
    operation_identifier: OperationIdentifier,
    related_operations: Type.Optional(Type.Array(OperationIdentifier)),
    type: Type.String(),
    status: Type.Optional(Type.String()),
    account: Type.Optional(RosettaAccount),
    amount: Type.Optional(RosettaAmount),
    coin_change: Type.Optional(
      Type.Object({
        coin_action: Type.String({ description: '`coin_spent` or `coin_created`.' }),
        coin_identifier: Type.Object({ identifier: Type.String() }),
      }),
    ),
    metadata: Type.Optional(RosettaMetadata),
  },
  { title: 'RosettaOperation' },
);
export type RosettaOperation = Static<typeof RosettaOperation>;

export const RosettaTransaction = Type.Object(
  {
    transaction_identifier: RosettaTransactionIdentifier,
    operations: Type.Array(RosettaOperation),
    metadata: Type.Optional(RosettaMetadata),
  },
  { title: 'RosettaTransaction' },
);
export type RosettaTransaction = Static<typeof RosettaTransaction>;

export const RosettaErrorBody = Type.Object(
  {
    code: Type.Integer({ description: 'Error code.' }),
    message: Type.String({ description: 'Error message.' }),
    retriable: Type.Boolean({ description: 'Whether the same request may succeed later.' }),
    details: Type.Optional(Type.Object({ message: Type.String({ description: 'Error message.' }) })),
  },
  { title: 'RosettaError' },
);
