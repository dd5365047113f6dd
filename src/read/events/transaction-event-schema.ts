import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { type Static, Type } from 'typebox';
import { eventKind } from '../../chain/event.ts';
import { ClarityText } from '../contracts/clarity-schema.ts';
import { CursorList } from '../pages/cursor-list-schema.ts';
import { Memo, renderMemo } from '../transactions/transaction-summary-schema.ts';
import { assetId, ContractLog, type Movement, movement, principalText } from './event-schema.ts';
import type { EventRow } from './events-queries.ts';

const index = { event_index: Type.Integer({ description: 'Index of the event in the transaction.' }) };
const sender = { sender: Type.String() };
const recipient = { recipient: Type.String() };
const amount = { amount: Type.String({ description: 'Amount in the smallest unit: micro-STX for STX.' }) };

/** The three ways in which something moves; sides that do not apply are absent. */
const moves = <Moved extends Type.TProperties, Sent extends Type.TProperties>(moved: Moved, sent: Sent) =>
  Type.Union([
    Type.Object({ type: Type.Literal('transfer'), ...sender, ...recipient, ...moved, ...sent }),
    Type.Object({ type: Type.Literal('mint'), ...recipient, ...moved }),
    Type.Object({ type: Type.Literal('burn'), ...sender, ...moved }),
  ]);

const asset = { asset_identifier: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }) };

const ListedEvent = Type.Union(
  [
    Type.Object(
      { ...index, type: Type.Literal('contract_log'), contract_log: ContractLog },
      { title: 'ContractLogEvent' },
    ),
    Type.Object(
      {
        ...index,
        type: Type.Literal('stx_lock'),
        stx_lock: Type.Object({
          ...amount,
          unlock_bitcoin_height: Type.Integer({ description: 'Height of the Bitcoin block at which the lock ends.' }),
          address: Type.String({ description: 'Principal whose STX are locked.' }),
        }),
      },
      { title: 'StxLockEvent' },
    ),
    Type.Object(
      { ...index, type: Type.Literal('stx_asset'), stx_asset: moves(amount, { memo: Memo }) },
      { title: 'StxAssetEvent' },
    ),
    Type.Object(
      { ...index, type: Type.Literal('ft_asset'), ft_asset: moves({ ...asset, ...amount }, {}) },
      { title: 'FtAssetEvent' },
    ),
    Type.Object(
      { ...index, type: Type.Literal('nft_asset'), nft_asset: moves({ ...asset, value: ClarityText }, {}) },
      { title: 'NftAssetEvent' },
    ),
  ],
  { title: 'ListedEvent' },
);
type ListedEvent = Static<typeof ListedEvent>;
export const ListedEventList = CursorList(ListedEvent, 'ListedEventList');

export const eventPattern = '^[0-9]+$';

/** The cursors of a page of events: the previous page is given by its index, even if it has no events. */
export function eventCursors(rows: readonly EventRow[], limit: number) {
  const first = rows[0]?.event_index;
  const next = rows[limit]?.event_index;
  return {
    next: next === undefined ? null : String(next),
    previous: first === undefined || first === 0 ? null : String(Math.max(first - limit, 0)),
    current: first === undefined ? null : String(first),
  };
}

/** The one place where an event row becomes an event of the third version. */
export function renderTransactionEvent(row: EventRow): ListedEvent {
  const { event_index } = row;
  const kind = eventKind(row.kind);
  switch (kind) {
    case 'print': {
      const contract_id = principalText(row.contract);
      const contract_log = { contract_id, topic: 'print' as const, value: clarityJson(row.value) };
      return { event_index, type: 'contract_log', contract_log };
    }
    case 'stx_lock': {
      const unlock_bitcoin_height = Number(row.value.toString());
      const stx_lock = { amount: row.amount, unlock_bitcoin_height, address: principalText(row.sender) };
      return { event_index, type: 'stx_lock', stx_lock };
    }
    case 'stx_transfer':
    case 'stx_mint':
    case 'stx_burn': {
      const move = moveOf(row, movement(kind), { amount: row.amount });
      const sent = move.type === 'transfer' ? { ...move, memo: renderMemo(row.value) } : move;
      return { event_index, type: 'stx_asset', stx_asset: sent };
    }
    case 'ft_transfer':
    case 'ft_mint':
    case 'ft_burn': {
      const moved = { asset_identifier: assetId(row), amount: row.amount };
      return { event_index, type: 'ft_asset', ft_asset: moveOf(row, movement(kind), moved) };
    }
    case 'nft_transfer':
    case 'nft_mint':
    case 'nft_burn': {
      const moved = { asset_identifier: assetId(row), value: clarityJson(row.value) };
      return { event_index, type: 'nft_asset', nft_asset: moveOf(row, movement(kind), moved) };
    }
    case 'unknown':
      throw new Error(`event ${event_index} has no public shape: queries leave such events out`);
  }
}

function moveOf<Moved extends object>(row: EventRow, type: Movement, moved: Moved) {
  const from = principalText(row.sender);
  const to = principalText(row.recipient);
  if (type === 'transfer') return { type, sender: from, recipient: to, ...moved };
  return type === 'mint' ? { type, recipient: to, ...moved } : { type, sender: from, ...moved };
}
