import { type Static, Type } from 'typebox';
import { ClarityText } from '../contracts/clarity-schema.ts';
import { renderEvent } from '../events/event-schema.ts';
import type { EventRow } from '../events/events-queries.ts';
import { WalkedPage } from '../pages/page-schema.ts';

const move = Type.Union([Type.Literal('transfer'), Type.Literal('mint'), Type.Literal('burn')]);
const sides = {
  sender: Type.Optional(Type.String({ description: 'Absent for a mint.' })),
  recipient: Type.Optional(Type.String({ description: 'Absent for a burn.' })),
};
const event_index = Type.Integer({ description: 'Index of the event in the transaction.' });

/** A move of an asset in one transaction, in the shape of the second version. */
const AddressEvent = Type.Union(
  [
    Type.Object({
      type: Type.Literal('stx'),
      event_index,
      data: Type.Object({
        type: move,
        amount: Type.String({ description: 'Amount in the smallest unit: micro-STX for STX.' }),
        ...sides,
      }),
    }),
    Type.Object({
      type: Type.Literal('ft'),
      event_index,
      data: Type.Object({
        type: move,
        amount: Type.String({ description: 'Amount in the smallest unit: micro-STX for STX.' }),
        asset_identifier: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }),
        ...sides,
      }),
    }),
    Type.Object({
      type: Type.Literal('nft'),
      event_index,
      data: Type.Object({
        type: move,
        asset_identifier: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }),
        value: ClarityText,
        ...sides,
      }),
    }),
  ],
  { title: 'AddressTransactionEvent' },
);
type AddressEvent = Static<typeof AddressEvent>;
export const AddressEventPage = WalkedPage(AddressEvent, 'AddressTransactionEventPage');

export function renderAddressEvent(row: EventRow): AddressEvent {
  const event = renderEvent(row);
  if (event.event_type === 'smart_contract_log' || event.event_type === 'stx_lock') {
    throw new Error(`event ${row.event_index} moves no asset: queries leave such events out`);
  }
  const { asset_event_type: type, sender, recipient } = event.asset;
  const known = { ...(sender !== '' && { sender }), ...(recipient !== '' && { recipient }) };
  switch (event.event_type) {
    case 'stx_asset':
      return { type: 'stx', event_index: row.event_index, data: { type, amount: event.asset.amount, ...known } };
    case 'fungible_token_asset': {
      const { amount, asset_id } = event.asset;
      return { type: 'ft', event_index: row.event_index, data: { type, amount, asset_identifier: asset_id, ...known } };
    }
    case 'non_fungible_token_asset': {
      const { value, asset_id } = event.asset;
      return { type: 'nft', event_index: row.event_index, data: { type, asset_identifier: asset_id, value, ...known } };
    }
  }
}
