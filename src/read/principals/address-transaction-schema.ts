import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { type Static, Type } from 'typebox';
import { eventCodes, eventKind } from '../../chain/event.ts';
import { role } from '../../chain/role.ts';
import { ClarityText } from '../contracts/clarity-schema.ts';
import { assetId, principalText } from '../events/event-schema.ts';
import { WalkedPage } from '../pages/page-schema.ts';
import { Transaction } from '../transactions/transaction-schema.ts';
import type { Move } from './asset-moves-queries.ts';
import type { Involvement } from './transactions-queries.ts';

const sides = {
  sender: Type.String({ description: 'Empty for a mint.' }),
  recipient: Type.String({ description: 'Empty for a burn.' }),
};
const StxTransfer = Type.Object(
  { amount: Type.String({ description: 'Amount in the smallest unit: micro-STX for STX.' }), ...sides },
  { title: 'StxTransfer' },
);
const FtTransfer = Type.Object(
  {
    asset_identifier: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }),
    amount: Type.String({ description: 'Amount in the smallest unit: micro-STX for STX.' }),
    ...sides,
  },
  { title: 'FtTransfer' },
);
const NftTransfer = Type.Object(
  {
    asset_identifier: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }),
    value: ClarityText,
    ...sides,
  },
  { title: 'NftTransfer' },
);

const moved = {
  tx: Transaction,
  stx_sent: Type.String({ description: 'Micro-STX that left the account, including the fee if the account paid it.' }),
  stx_received: Type.String({ description: 'Micro-STX that the account received.' }),
};

export const TransactionWithStx = Type.Object(
  { ...moved, stx_transfers: Type.Array(StxTransfer) },
  { title: 'AddressTransactionWithStx' },
);
export type TransactionWithStx = Static<typeof TransactionWithStx>;

const TransactionWithTransfers = Type.Object(
  {
    ...moved,
    stx_transfers: Type.Array(StxTransfer),
    ft_transfers: Type.Array(FtTransfer),
    nft_transfers: Type.Array(NftTransfer),
  },
  { title: 'AddressTransactionWithTransfers' },
);
export const TransactionWithTransfersPage = WalkedPage(TransactionWithTransfers, 'AddressTransactionWithTransfersPage');

const MoveCounts = Type.Object({
  transfer: Type.Integer({ description: 'Number of transfers.' }),
  mint: Type.Integer({ description: 'Number of mints.' }),
  burn: Type.Integer({ description: 'Number of burns.' }),
});

const AddressTransaction = Type.Object(
  { ...moved, events: Type.Object({ stx: MoveCounts, ft: MoveCounts, nft: MoveCounts }) },
  { title: 'AddressTransaction' },
);

const cursor = Type.Optional(
  Type.Union([Type.String(), Type.Null()], {
    description:
      'Present only on request. `next_cursor` is the newer page, `prev_cursor` the older one; null if there is none.',
  }),
);

/** Only requests with a cursor get cursors: clients of the older form do not expect these keys. */
export const AddressTransactionPage = Type.Object(
  {
    limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
    offset: Type.Integer({ description: 'Number of results that were skipped.' }),
    total: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of results of all pages; null with a filter.',
    }),
    next_cursor: cursor,
    prev_cursor: cursor,
    cursor,
    results: Type.Array(AddressTransaction),
  },
  { title: 'AddressTransactionPage' },
);

function renderMoved(row: Involvement, tx: Transaction) {
  const fee = row.role & role.payer ? row.fee : 0n;
  return {
    tx,
    stx_sent: String(BigInt(row.sent) + fee),
    stx_received: row.received,
  };
}

/** A transaction with the STX it moved for an account. */
export const renderWithStx = (row: Involvement, tx: Transaction, moves: readonly Move[]) => ({
  ...renderMoved(row, tx),
  stx_transfers: moves.filter(isOf('stx')).map(move => ({ amount: move.amount, ...renderSides(move) })),
});

/** A transaction with everything it moved for an account. */
export const renderWithTransfers = (row: Involvement, tx: Transaction, moves: readonly Move[]) => ({
  ...renderWithStx(row, tx, moves),
  ft_transfers: moves.filter(isOf('ft')).map(move => ({
    asset_identifier: assetId(move),
    amount: move.amount,
    ...renderSides(move),
  })),
  nft_transfers: moves.filter(isOf('nft')).map(move => ({
    asset_identifier: assetId(move),
    value: clarityJson(move.value),
    ...renderSides(move),
  })),
});

/** A transaction with the number of moves it made for an account. */
export function renderWithCounts(row: Involvement, tx: Transaction, kinds: readonly number[]) {
  const of = (kind: keyof typeof eventCodes) => kinds.filter(each => each === eventCodes[kind]).length;
  return {
    ...renderMoved(row, tx),
    events: {
      stx: { transfer: of('stx_transfer'), mint: of('stx_mint'), burn: of('stx_burn') },
      ft: { transfer: of('ft_transfer'), mint: of('ft_mint'), burn: of('ft_burn') },
      nft: { transfer: of('nft_transfer'), mint: of('nft_mint'), burn: of('nft_burn') },
    },
  };
}

const isOf = (asset: 'stx' | 'ft' | 'nft') => (move: Move) => eventKind(move.kind).startsWith(`${asset}_`);

const renderSides = (move: Move) => ({ sender: principalText(move.sender), recipient: principalText(move.recipient) });
