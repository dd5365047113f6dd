import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { eventKind } from '../../chain/event.ts';
import { ClarityText } from '../contracts/clarity-schema.ts';
import { assetMetadata } from '../metadata/asset-schema.ts';
import type { EventRow } from './events-queries.ts';

const common = {
  event_index: Type.Integer({ description: 'Index of the event in the transaction.' }),
  tx_id: Type.String({ description: 'Id of the transaction.' }),
};
const sides = {
  asset_event_type: Type.Union([Type.Literal('transfer'), Type.Literal('mint'), Type.Literal('burn')]),
  sender: Type.String({ description: 'Empty for a mint.' }),
  recipient: Type.String({ description: 'Empty for a burn.' }),
};

export const ContractLog = Type.Object(
  {
    contract_id: Type.String({ description: 'Contract that printed the value.' }),
    topic: Type.Literal('print'),
    value: ClarityText,
  },
  { title: 'ContractLog' },
);

export const LogEvent = Type.Object(
  { ...common, event_type: Type.Literal('smart_contract_log'), contract_log: ContractLog },
  { title: 'LogEvent' },
);
export type LogEvent = Static<typeof LogEvent>;

const LockEvent = Type.Object(
  {
    ...common,
    event_type: Type.Literal('stx_lock'),
    stx_lock_event: Type.Object({
      locked_amount: Type.String({ description: 'Locked micro-STX.' }),
      unlock_height: Type.Integer({ description: 'Height of the burn block at which the lock ends.' }),
      locked_address: Type.String({ description: 'Principal whose STX are locked.' }),
    }),
  },
  { title: 'LockEvent' },
);

const StxEvent = Type.Object(
  {
    ...common,
    event_type: Type.Literal('stx_asset'),
    asset: Type.Object({
      ...sides,
      amount: Type.String({ description: 'Amount in the smallest unit: micro-STX for STX.' }),
      memo: Type.Optional(Type.String({ description: 'Memo in hex; absent if the transfer has none.' })),
    }),
  },
  { title: 'StxEvent' },
);

const FtEvent = Type.Object(
  {
    ...common,
    event_type: Type.Literal('fungible_token_asset'),
    asset: Type.Object({
      ...sides,
      asset_id: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }),
      ...assetMetadata,
      amount: Type.String({ description: 'Amount in the smallest unit: micro-STX for STX.' }),
    }),
  },
  { title: 'FtEvent' },
);

const NftEvent = Type.Object(
  {
    ...common,
    event_type: Type.Literal('non_fungible_token_asset'),
    asset: Type.Object({
      ...sides,
      asset_id: Type.String({ description: 'The asset: `CONTRACT_ID::ASSET_NAME`.' }),
      ...assetMetadata,
      value: ClarityText,
    }),
  },
  { title: 'NftEvent' },
);

export const TransactionEvent = Type.Union([LogEvent, LockEvent, StxEvent, FtEvent, NftEvent], {
  title: 'TransactionEvent',
});
export type TransactionEvent = Static<typeof TransactionEvent>;

/** The one place where an event row becomes an event of the API. */
export function renderEvent(row: EventRow): TransactionEvent {
  const base = { event_index: row.event_index, tx_id: toHex(row.tx_id) };
  const sender = principalText(row.sender);
  const recipient = principalText(row.recipient);
  const kind = eventKind(row.kind);
  switch (kind) {
    case 'print':
      return {
        ...base,
        event_type: 'smart_contract_log',
        contract_log: { contract_id: principalText(row.contract), topic: 'print', value: clarityJson(row.value) },
      };
    case 'stx_lock':
      return {
        ...base,
        event_type: 'stx_lock',
        stx_lock_event: {
          locked_amount: row.amount,
          unlock_height: Number(row.value.toString()),
          locked_address: sender,
        },
      };
    case 'stx_transfer':
    case 'stx_mint':
    case 'stx_burn':
      return {
        ...base,
        event_type: 'stx_asset',
        asset: {
          asset_event_type: movement(kind),
          sender,
          recipient,
          amount: row.amount,
          ...(row.value.length > 0 && { memo: toHex(row.value) }),
        },
      };
    case 'ft_transfer':
    case 'ft_mint':
    case 'ft_burn':
      return {
        ...base,
        event_type: 'fungible_token_asset',
        asset: { asset_event_type: movement(kind), asset_id: assetId(row), sender, recipient, amount: row.amount },
      };
    case 'nft_transfer':
    case 'nft_mint':
    case 'nft_burn':
      return {
        ...base,
        event_type: 'non_fungible_token_asset',
        asset: {
          asset_event_type: movement(kind),
          asset_id: assetId(row),
          sender,
          recipient,
          value: clarityJson(row.value),
        },
      };
    case 'unknown':
      throw new Error(`event ${base.event_index} of ${base.tx_id} has no public shape: queries leave such events out`);
  }
}

/** Empty where there is no such side. */
export const principalText = (bytes: Uint8Array | null) => (bytes === null ? '' : principalFromBytes(bytes));

export const assetId = (row: Pick<EventRow, 'contract' | 'asset_name'>) =>
  `${principalText(row.contract)}::${row.asset_name}`;

export type Movement = 'transfer' | 'mint' | 'burn';

/** `nft_mint` is a mint. */
export const movement = (kind: `${'stx' | 'ft' | 'nft'}_${Movement}`) => kind.slice(kind.indexOf('_') + 1) as Movement;
