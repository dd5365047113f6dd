import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { eventKind } from '../chain/event.ts';
import type { NftMove } from '../read/blocks/block-changes-queries.ts';
import { ClarityText } from '../read/contracts/clarity-schema.ts';

export const NftEvent = Type.Object(
  {
    sender: Type.Union([Type.String(), Type.Null()], { description: 'Null for a mint.' }),
    recipient: Type.Union([Type.String(), Type.Null()], { description: 'Null for a burn.' }),
    asset_identifier: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }),
    asset_event_type: Type.Union([Type.Literal('transfer'), Type.Literal('mint'), Type.Literal('burn')]),
    value: ClarityText,
    tx_id: Type.String(),
    tx_index: Type.Integer({ description: 'Index of the transaction in the block.' }),
    block_height: Type.Integer({ description: 'Height of the block.' }),
    event_index: Type.Integer({ description: 'Index of the event in the transaction.' }),
  },
  { title: 'RealtimeNftEvent' },
);
export type NftEvent = Static<typeof NftEvent>;

/** A move of an NFT as in the realtime messages. */
export const renderNftEvent = (row: NftMove): NftEvent => ({
  sender: row.sender ? principalFromBytes(row.sender) : null,
  recipient: row.recipient ? principalFromBytes(row.recipient) : null,
  asset_identifier: `${row.contract ? principalFromBytes(row.contract) : ''}::${row.asset_name}`,
  // Its query reads these three kinds only.
  asset_event_type: eventKind(row.kind).slice('nft_'.length) as NftEvent['asset_event_type'],
  value: clarityJson(row.value),
  tx_id: toHex(row.tx_id),
  tx_index: row.tx_index,
  block_height: row.height,
  event_index: row.event_index,
});
