import { type Static, Type } from 'typebox';
import type { EventPositionRow } from '../queries/event-positions.ts';
import type { NftMoveRow } from '../queries/nft-moves.ts';
import { CursorList } from './cursor-list.ts';
import {
  BlockPosition,
  renderBlockPosition,
  renderTransactionPosition,
  TransactionPosition,
} from './event-position.ts';
import { nameOrNull, principalOrNull } from './principal-transfer.ts';

export const NftMove = Type.Object(
  { sender: principalOrNull, recipient: principalOrNull, transaction: TransactionPosition, block: BlockPosition },
  { title: 'NftMove' },
);
export const NftMoveList = CursorList(NftMove, 'NftMoveList');

export const renderNftMove = (row: EventPositionRow & NftMoveRow): Static<typeof NftMove> => ({
  sender: nameOrNull(row.sender),
  recipient: nameOrNull(row.recipient),
  transaction: renderTransactionPosition(row),
  block: renderBlockPosition(row),
});
