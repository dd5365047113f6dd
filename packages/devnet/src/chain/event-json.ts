import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import type { ChainEvent } from './event.ts';
import type { Release } from './release.ts';

/** The type and the body of an event in the format of a node. */
export function eventJson(event: ChainEvent, release: Release): { type: string; body: object } {
  const value = (bytes: Uint8Array) => ({
    raw_value: toHex(bytes),
    ...(release.sendsValue && { value: valueJson(decodeClarity(bytes)) }),
  });
  switch (event.kind) {
    case 'stx_transfer': {
      const { sender, recipient, amount, memo } = event;
      return body('stx_transfer_event', { sender, recipient, amount: String(amount), memo: bareHex(memo) });
    }
    case 'stx_mint':
      return body('stx_mint_event', { recipient: event.recipient, amount: String(event.amount) });
    case 'stx_burn':
      return body('stx_burn_event', { sender: event.sender, amount: String(event.amount) });
    case 'stx_lock':
      return body('stx_lock_event', {
        locked_address: event.principal,
        locked_amount: String(event.amount),
        unlock_height: String(event.unlockHeight),
        contract_identifier: event.contract,
      });
    case 'ft_transfer': {
      const { asset, sender, recipient, amount } = event;
      return body('ft_transfer_event', { asset_identifier: asset, sender, recipient, amount: String(amount) });
    }
    case 'ft_mint': {
      const { asset, recipient, amount } = event;
      return body('ft_mint_event', { asset_identifier: asset, recipient, amount: String(amount) });
    }
    case 'ft_burn': {
      const { asset, sender, amount } = event;
      return body('ft_burn_event', { asset_identifier: asset, sender, amount: String(amount) });
    }
    case 'nft_transfer': {
      const { asset, sender, recipient } = event;
      return body('nft_transfer_event', { asset_identifier: asset, sender, recipient, ...value(event.value) });
    }
    case 'nft_mint': {
      const { asset, recipient } = event;
      return body('nft_mint_event', { asset_identifier: asset, recipient, ...value(event.value) });
    }
    case 'nft_burn': {
      const { asset, sender } = event;
      return body('nft_burn_event', { asset_identifier: asset, sender, ...value(event.value) });
    }
    case 'print':
      return body('contract_event', {
        contract_identifier: event.contract,
        topic: 'print',
        ...value(event.value),
      });
    case 'unknown':
      return { type: event.type, body: JSON.parse(event.body) };
  }
}

const body = (type: string, fields: object) => ({ type, body: fields });

/** A value in the debug format that releases before 3.4.0.0.2 sent. */
function valueJson(value: ClarityValue): unknown {
  switch (value.type) {
    case 'int':
      return { Int: value.value };
    case 'uint':
      return { UInt: value.value };
    case 'bool':
      return { Bool: value.value };
    case 'buffer':
      return { Sequence: { Buffer: { data: [...value.bytes] } } };
    case 'string-ascii':
    case 'string-utf8':
      return { Sequence: { String: { ASCII: { data: [...value.text].map(c => c.charCodeAt(0)) } } } };
    case 'principal':
      return { Principal: value.contract === undefined ? value.address : `${value.address}.${value.contract}` };
    case 'ok':
    case 'err':
      return { Response: { committed: value.type === 'ok', data: valueJson(value.value) } };
    case 'some':
      return { Optional: { data: valueJson(value.value) } };
    case 'none':
      return { Optional: { data: null } };
    case 'list':
      return { Sequence: { List: { data: value.items.map(valueJson) } } };
    case 'tuple':
      return { Tuple: { data_map: Object.fromEntries(value.entries.map(e => [e.name, valueJson(e.value)])) } };
  }
}
