import type { ChainEvent } from '../chain/event.ts';
import { amount, bytes, integer, type Json, object, optionalText, text } from './json.ts';

/** One event of a message. An event of an unknown type is stored as its JSON. */
export function readEvent(json: Json): ChainEvent {
  const type = text(json, 'type');
  const body = () => object(json[type], type);
  switch (type) {
    case 'stx_transfer_event': {
      const b = body();
      const memo = bytes(optionalText(b, 'memo') ?? '', 'memo');
      return {
        kind: 'stx_transfer',
        sender: text(b, 'sender'),
        recipient: text(b, 'recipient'),
        amount: amount(b, 'amount'),
        memo,
      };
    }
    case 'stx_mint_event': {
      const b = body();
      return { kind: 'stx_mint', recipient: text(b, 'recipient'), amount: amount(b, 'amount') };
    }
    case 'stx_burn_event': {
      const b = body();
      return { kind: 'stx_burn', sender: text(b, 'sender'), amount: amount(b, 'amount') };
    }
    case 'stx_lock_event': {
      const b = body();
      return {
        kind: 'stx_lock',
        principal: text(b, 'locked_address'),
        amount: amount(b, 'locked_amount'),
        unlockHeight: integer(b, 'unlock_height'),
        contract: optionalText(b, 'contract_identifier') ?? '',
      };
    }
    case 'ft_transfer_event': {
      const b = body();
      return {
        kind: 'ft_transfer',
        asset: text(b, 'asset_identifier'),
        sender: text(b, 'sender'),
        recipient: text(b, 'recipient'),
        amount: amount(b, 'amount'),
      };
    }
    case 'ft_mint_event': {
      const b = body();
      return {
        kind: 'ft_mint',
        asset: text(b, 'asset_identifier'),
        recipient: text(b, 'recipient'),
        amount: amount(b, 'amount'),
      };
    }
    case 'ft_burn_event': {
      const b = body();
      return {
        kind: 'ft_burn',
        asset: text(b, 'asset_identifier'),
        sender: text(b, 'sender'),
        amount: amount(b, 'amount'),
      };
    }
    case 'nft_transfer_event': {
      const b = body();
      return {
        kind: 'nft_transfer',
        asset: text(b, 'asset_identifier'),
        sender: text(b, 'sender'),
        recipient: text(b, 'recipient'),
        value: bytes(b.raw_value, 'raw_value'),
      };
    }
    case 'nft_mint_event': {
      const b = body();
      return {
        kind: 'nft_mint',
        asset: text(b, 'asset_identifier'),
        recipient: text(b, 'recipient'),
        value: bytes(b.raw_value, 'raw_value'),
      };
    }
    case 'nft_burn_event': {
      const b = body();
      return {
        kind: 'nft_burn',
        asset: text(b, 'asset_identifier'),
        sender: text(b, 'sender'),
        value: bytes(b.raw_value, 'raw_value'),
      };
    }
    case 'contract_event': {
      const b = body();
      // Contract code can only print; another topic would be a new kind of event, which is stored unchanged.
      if (b.topic !== 'print') return { kind: 'unknown', type, body: JSON.stringify(json) };
      return { kind: 'print', contract: text(b, 'contract_identifier'), value: bytes(b.raw_value, 'raw_value') };
    }
    default:
      return { kind: 'unknown', type, body: JSON.stringify(json) };
  }
}
