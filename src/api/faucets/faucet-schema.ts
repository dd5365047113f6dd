import { Type } from 'typebox';

const success = Type.Literal(true);

/** What a faucet of the Stacks chain gave. */
export const FaucetGift = Type.Object(
  {
    success,
    txId: Type.String({ description: 'Id of the transaction that pays.' }),
    txRaw: Type.String({ description: 'The signed transaction in hex.' }),
  },
  { title: 'FaucetGift' },
);

/** What the Bitcoin faucet gave. */
export const BitcoinFaucetGift = Type.Object(
  {
    success,
    txid: Type.String({ description: 'Id of the Bitcoin transaction that pays.' }),
    raw_tx: Type.String({ description: 'The signed Bitcoin transaction in hex.' }),
  },
  { title: 'BitcoinFaucetGift' },
);

export const BitcoinFaucetBalance = Type.Object(
  { balance: Type.Number({ description: 'The balance in bitcoin.' }) },
  { title: 'BitcoinFaucetBalance' },
);

export const FaucetRefusal = Type.Object(
  {
    error: Type.String({ description: 'What went wrong.' }),
    help: Type.Optional(Type.String({ description: 'How to correct the request.' })),
    success: Type.Literal(false),
  },
  { title: 'FaucetRefusal' },
);
