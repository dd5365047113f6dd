import { type Static, Type } from 'typebox';
import type { EventPositionRow } from '../../queries/events/positions.ts';
import type { NftMoveRow } from '../../queries/tokens/nft-moves.ts';
import {
  BlockPosition,
  renderBlockPosition,
  renderTransactionPosition,
  TransactionPosition,
} from '../events/event-position.ts';
import { CursorList } from '../pages/cursor-list.ts';
import { nameOrNull, principalOrNull } from '../principals/principal-transfer.ts';

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
