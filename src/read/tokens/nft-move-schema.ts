import { type Static, Type } from 'typebox';
import {
  BlockPosition,
  renderBlockPosition,
  renderTransactionPosition,
  TransactionPosition,
} from '../events/event-position-schema.ts';
import type { EventPositionRow } from '../events/positions-queries.ts';
import { CursorList } from '../pages/cursor-list-schema.ts';
import { nameOrNull, principalOrNull } from '../principals/principal-transfer-schema.ts';
import type { NftMoveRow } from './nft-moves-queries.ts';

const NftMove = Type.Object(
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
