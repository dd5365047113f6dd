import { type Static, Type } from 'typebox';
import { eventCodes } from '../../chain/event.ts';
import { toHex } from '../../codec/hex.ts';
import type { FtTransferRow } from '../../queries/tokens/ft-transfers.ts';
import { nameOrNull, principalOrNull } from '../principals/principal-transfer.ts';

const FtTransfer = Type.Object(
  {
    type: Type.Enum(['transfer', 'mint', 'burn']),
    sender: principalOrNull,
    recipient: principalOrNull,
    amount: Type.String({ description: 'Amount in base units.' }),
    tx_id: Type.String(),
    event_index: Type.Integer({ description: 'Index of the event in its transaction.' }),
    block_height: Type.Integer(),
    block_time: Type.Integer({ description: 'Time of the block in seconds since 1970.' }),
  },
  { title: 'TokenMove' },
);

export const FtTransferList = Type.Object(
  {
    limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
    cursor: Type.Object({
      next: Type.Union([Type.String(), Type.Null()], { description: 'The next `cursor`; null on the last page.' }),
    }),
    results: Type.Array(FtTransfer),
  },
  { title: 'TokenMoveList' },
);

const types: Readonly<Record<number, 'transfer' | 'mint' | 'burn'>> = {
  [eventCodes.ft_transfer]: 'transfer',
  [eventCodes.ft_mint]: 'mint',
  [eventCodes.ft_burn]: 'burn',
};

/** A page out of its rows and the first row of the next one. */
export function renderFtTransfers(rows: readonly FtTransferRow[], limit: number): Static<typeof FtTransferList> {
  const next = rows[limit];
  return {
    limit,
    cursor: { next: next ? [next.height, next.place, next.event_index].join(':') : null },
    results: rows.slice(0, limit).map(row => ({
      type: types[row.kind]!,
      sender: nameOrNull(row.sender),
      recipient: nameOrNull(row.recipient),
      amount: row.amount,
      tx_id: toHex(row.tx_id),
      event_index: row.event_index,
      block_height: row.height,
      block_time: row.time,
    })),
  };
}
