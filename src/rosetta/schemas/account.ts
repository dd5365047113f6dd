import { Type } from 'typebox';
import {
  RosettaAccount,
  RosettaAmount,
  RosettaBlockIdentifier,
  RosettaCurrency,
  RosettaNetwork,
  RosettaPartialBlock,
} from './rosetta.ts';

export const RosettaBalanceRequest = Type.Object(
  {
    network_identifier: RosettaNetwork,
    account_identifier: RosettaAccount,
    block_identifier: Type.Optional(RosettaPartialBlock),
    currencies: Type.Optional(
      Type.Array(RosettaCurrency, { maxItems: 100, description: 'Currencies to return. Without them, STX alone.' }),
    ),
  },
  { additionalProperties: false, title: 'RosettaBalanceRequest' },
);

export const RosettaBalance = Type.Object(
  {
    block_identifier: RosettaBlockIdentifier,
    balances: Type.Array(RosettaAmount),
    metadata: Type.Object({
      sequence_number: Type.Integer({ description: 'Next nonce of the account.' }),
      nonce: Type.Optional(Type.Integer({ description: 'Next nonce of the account.' })),
      locked_balance: Type.Optional(Type.String({ description: 'Locked micro-STX.' })),
      unlock_height: Type.Optional(
        Type.Integer({ description: 'Height of the burn block at which the lock ends; 0 if nothing is locked.' }),
      ),
    }),
  },
  { title: 'RosettaBalance' },
);
