import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { BlockPosition, renderBlockPosition } from '../events/event-position-schema.ts';
import type { EventPositionRow } from '../events/positions-queries.ts';
import { BoundedCursorList } from '../pages/cursor-list-schema.ts';
import { DepositBitcoin, renderDepositBitcoin } from './bitcoin-schema.ts';
import type { DepositRow } from './deposits-queries.ts';
import { DepositSweep, renderSweep } from './sweep-schema.ts';

export const deposit = {
  bitcoin_tx_id: Type.String({
    description: 'Id of the Bitcoin transaction of the depositor, as Bitcoin explorers show it.',
  }),
  vout: Type.Integer({ description: 'Number of its output that was deposited.' }),
  recipient: Type.Union([Type.String(), Type.Null()], {
    description: 'Who got the sBTC; null if the transaction minted none for it.',
  }),
  amount: Type.String({
    description: 'Minted amount in satoshis: that of the output less its share of the sweep fee.',
  }),
  status: Type.Enum(['completed']),
  tx_id: Type.String({ description: 'Id of the Stacks transaction that minted the sBTC.' }),
  block: BlockPosition,
  sweep: DepositSweep,
  bitcoin: Type.Union([DepositBitcoin, Type.Null()], {
    description: 'What Emily and a Bitcoin node say, if the service asks them; null if nothing is known.',
  }),
};

export const Deposit = Type.Object(deposit, { title: 'SbtcDeposit' });
export const DepositList = BoundedCursorList(Deposit, 'SbtcDepositList');

export function renderDeposit(row: EventPositionRow & DepositRow): Static<typeof Deposit> {
  return {
    bitcoin_tx_id: toHex(row.deposit_tx_id),
    vout: row.vout,
    recipient: row.recipient && principalFromBytes(row.recipient),
    amount: row.amount,
    status: 'completed',
    tx_id: toHex(row.tx_id),
    block: renderBlockPosition(row),
    sweep: renderSweep(row),
    bitcoin: renderDepositBitcoin(row),
  };
}
