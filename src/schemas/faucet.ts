import { Type } from 'typebox';

const success = Type.Literal(true);

/** What a faucet of the Stacks chain gave. */
export const FaucetGift = Type.Object(
  {
    success,
    txId: Type.String(),
    txRaw: Type.String({ description: 'The signed transaction as hex.' }),
  },
  { title: 'FaucetGift' },
);

/** What the Bitcoin faucet gave. */
export const BitcoinFaucetGift = Type.Object(
  { success, txid: Type.String(), raw_tx: Type.String() },
  { title: 'BitcoinFaucetGift' },
);

export const BitcoinFaucetBalance = Type.Object(
  { balance: Type.Number({ description: 'In bitcoin.' }) },
  { title: 'BitcoinFaucetBalance' },
);

export const FaucetRefusal = Type.Object(
  {
    error: Type.String(),
    help: Type.Optional(Type.String()),
    success: Type.Literal(false),
  },
  { title: 'FaucetRefusal' },
);
