import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { eventCodes } from '../../chain/event.ts';
import { ClarityText } from '../contracts/clarity-schema.ts';
import type { HistoryStep } from '../filters/steps-queries.ts';
import { nameOrNull, principalOrNull } from '../principals/principal-transfer-schema.ts';
import type { TokenTransferPosition, TokenTransferRow } from './token-transfers-queries.ts';

const common = {
  type: Type.Enum(['transfer', 'mint', 'burn']),
  sender: principalOrNull,
  recipient: principalOrNull,
  tx_id: Type.String(),
  event_index: Type.Integer({ description: 'Index of the event in its transaction.' }),
  block_height: Type.Integer(),
  block_time: Type.Integer({ description: 'Time of the block in seconds since 1970.' }),
};

const FtTransfer = Type.Object(
  { ...common, amount: Type.String({ description: 'Amount in base units.' }) },
  { title: 'TokenMove' },
);

const NftTransfer = Type.Object({ ...common, value: ClarityText }, { title: 'CollectionMove' });

const listOf = <Item extends Type.TSchema>(item: Item, title: string) =>
  Type.Object(
    {
      limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
      cursor: Type.Object({
        next: Type.Union([Type.String(), Type.Null()], { description: 'The next `cursor`; null on the last page.' }),
      }),
      results: Type.Array(item),
    },
    { title },
  );

export const FtTransferList = listOf(FtTransfer, 'TokenMoveList');
export const NftTransferList = listOf(NftTransfer, 'CollectionMoveList');

const types: Readonly<Record<number, 'transfer' | 'mint' | 'burn'>> = {
  [eventCodes.ft_transfer]: 'transfer',
  [eventCodes.ft_mint]: 'mint',
  [eventCodes.ft_burn]: 'burn',
  [eventCodes.nft_transfer]: 'transfer',
  [eventCodes.nft_mint]: 'mint',
  [eventCodes.nft_burn]: 'burn',
};

const renderCommon = (row: TokenTransferRow) => ({
  type: types[row.kind]!,
  sender: nameOrNull(row.sender),
  recipient: nameOrNull(row.recipient),
  tx_id: toHex(row.tx_id),
  event_index: row.event_index,
  block_height: row.height,
  block_time: row.time,
});

/** The rows of a page, and where the next one begins. */
type Moves = { rows: readonly TokenTransferRow[]; next: TokenTransferPosition | undefined };

/** A page out of its rows and the first row of the next one. */
export const cutMoves = (rows: readonly TokenTransferRow[], limit: number): Moves => ({
  rows: rows.slice(0, limit),
  next: rows[limit],
});

/** A step of a filtered list. */
export const stepOfMoves = ({ rows, next }: HistoryStep<TokenTransferRow>): Moves => ({
  rows,
  next: next && { height: next.height, place: next.place, event_index: next.eventIndex },
});

const renderList = <Item>({ rows, next }: Moves, limit: number, render: (row: TokenTransferRow) => Item) => ({
  limit,
  cursor: { next: next ? [next.height, next.place, next.event_index].join(':') : null },
  results: rows.map(render),
});

export const renderFtTransfers = (moves: Moves, limit: number): Static<typeof FtTransferList> =>
  renderList(moves, limit, row => ({ ...renderCommon(row), amount: row.amount }));

export const renderNftTransfers = (moves: Moves, limit: number): Static<typeof NftTransferList> =>
  renderList(moves, limit, row => ({ ...renderCommon(row), value: clarityJson(row.value) }));

/** The largest value of each part of a cursor; what is beyond means the end. */
const most = [2_147_483_647, 32_767, 2_147_483_647] as const;

export const transferCursorPattern = '^[0-9]{1,10}:[0-9]{1,5}:[0-9]{1,10}$';

/** The position that a cursor names. */
export function readTransferCursor(cursor: string | undefined): TokenTransferPosition | undefined {
  if (cursor === undefined) return undefined;
  const [height = 0, place = 0, event_index = 0] = cursor.split(':').map((part, i) => Math.min(Number(part), most[i]!));
  return { height, place, event_index };
}
