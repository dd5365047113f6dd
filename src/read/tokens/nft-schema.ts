import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { ClarityText } from '../contracts/clarity-schema.ts';
import type { EventRow } from '../events/events-queries.ts';
import { assetMetadata } from '../metadata/asset-schema.ts';
import { FilteredPage, Page } from '../pages/page-schema.ts';
import { assetIdOf } from '../principals/balance-schema.ts';
import { Transaction } from '../transactions/transaction-schema.ts';
import type { NftHoldingRow, Place } from './nfts-queries.ts';

/** Names its transaction by the id or, with `tx_metadata`, shows all of it. */
const fromTransaction = <Fields extends Type.TProperties>(fields: Fields, title: string) =>
  Type.Union([Type.Object({ ...fields, tx_id: Type.String() }), Type.Object({ ...fields, tx: Transaction })], {
    title,
  });
export type TransactionSource = { tx_id: string } | { tx: Transaction };

/** The transaction of a row where only the id is requested. */
export const idOf = (row: Place): TransactionSource => ({ tx_id: toHex(row.tx_id) });

const NftHolding = fromTransaction(
  {
    asset_identifier: Type.String({ description: 'Class of the NFT: `CONTRACT_ID::ASSET_NAME`.' }),
    value: ClarityText,
    block_height: Type.Integer({ description: 'Height of the block of the last transfer.' }),
    ...assetMetadata,
  },
  'NftHolding',
);
export const NftHoldingPage = Page(NftHolding, 'NftHoldingPage');

export const renderNftHolding = (row: NftHoldingRow, transaction: TransactionSource): Static<typeof NftHolding> => ({
  asset_identifier: assetIdOf(row),
  value: clarityJson(row.value),
  block_height: row.height,
  ...transaction,
});

const NftHistoryEvent = fromTransaction(
  {
    event_index: Type.Integer({ description: 'Index of the event in the transaction.' }),
    asset_event_type: Type.Union([Type.Literal('transfer'), Type.Literal('mint'), Type.Literal('burn')]),
    sender: Type.Union([Type.String(), Type.Null()], { description: 'Null for a mint.' }),
    recipient: Type.Optional(Type.String({ description: 'Absent for a burn.' })),
  },
  'NftHistoryEvent',
);
export const NftHistoryPage = FilteredPage(NftHistoryEvent, 'NftHistoryPage');

export const renderNftHistory = (row: EventRow, transaction: TransactionSource): Static<typeof NftHistoryEvent> => ({
  event_index: row.event_index,
  asset_event_type: row.sender === null ? 'mint' : row.recipient === null ? 'burn' : 'transfer',
  sender: row.sender && principalFromBytes(row.sender),
  ...(row.recipient && { recipient: principalFromBytes(row.recipient) }),
  ...transaction,
});

const NftMint = fromTransaction(
  {
    recipient: Type.Optional(Type.String()),
    event_index: Type.Integer({ description: 'Index of the event in the transaction.' }),
    value: ClarityText,
  },
  'NftMint',
);
export const NftMintPage = FilteredPage(NftMint, 'NftMintPage');

export const renderNftMint = (row: EventRow, transaction: TransactionSource): Static<typeof NftMint> => ({
  event_index: row.event_index,
  value: clarityJson(row.value),
  ...(row.recipient && { recipient: principalFromBytes(row.recipient) }),
  ...transaction,
});
