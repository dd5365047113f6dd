import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { type Static, type TSchema, Type } from 'typebox';
import { readSignerManagerPrint } from '../../chain/pox/signer-manager-print.ts';
import { ClarityText } from '../contracts/clarity-schema.ts';
import {
  BitcoinBlockPosition,
  BlockPosition,
  renderBitcoinBlockPosition,
  renderBlockPosition,
  renderTransactionPosition,
  TransactionPosition,
} from '../events/event-position-schema.ts';
import type { EventPositionRow } from '../events/positions-queries.ts';
import { CursorList } from '../pages/cursor-list-schema.ts';

const orNull = (type: TSchema, description: string) => Type.Union([type, Type.Null()], { description });

const SignerManagerEvent = Type.Object(
  {
    name: orNull(Type.String(), 'The `topic` of the print; null if it has none.'),
    staker: orNull(Type.String(), 'The staker that it is about.'),
    reward_cycle: orNull(Type.Integer(), 'The reward cycle that it is about.'),
    bond_index: orNull(Type.Integer(), 'The bond that it is about; null also for STX staked alone.'),
    amount: orNull(
      Type.Object(
        {
          btc: Type.String({ description: 'Amount in satoshis.' }),
          basis: orNull(
            Type.Enum(['gross', 'net']),
            'Whether rewards are before the fee of the signer manager or after it; null where that is not known.',
          ),
        },
        { title: 'SignerManagerAmount' },
      ),
      'Satoshis that it names.',
    ),
    withdrawal_request_id: orNull(
      Type.Integer(),
      'Number of the sBTC withdrawal by which the staker is paid on Bitcoin, as `/extended/v1/sbtc/withdrawals/{request_id}` takes it.',
    ),
    value: ClarityText,
    transaction: TransactionPosition,
    block: BlockPosition,
    bitcoin_block: BitcoinBlockPosition,
  },
  { title: 'SignerManagerEvent' },
);
export const SignerManagerEventList = CursorList(SignerManagerEvent, 'SignerManagerEventList');

export function renderSignerManagerEvent(row: EventPositionRow & { value: Buffer }): Static<typeof SignerManagerEvent> {
  const print = readSignerManagerPrint(row.value);
  return {
    name: print?.topic ?? null,
    staker: print?.staker ?? null,
    reward_cycle: print?.cycle ?? null,
    bond_index: print?.bond ?? null,
    amount: print?.sats === undefined ? null : { btc: String(print.sats), basis: print.basis ?? null },
    withdrawal_request_id: print?.request ?? null,
    value: clarityJson(row.value),
    transaction: renderTransactionPosition(row),
    block: renderBlockPosition(row),
    bitcoin_block: renderBitcoinBlockPosition(row),
  };
}
