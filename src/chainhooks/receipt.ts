import { toHex } from '@cairn-stacks/codec/hex';
import type { HookEvent, HookTransaction } from './block.ts';
import { valueText } from './value-text.ts';

/** What a transaction brought about, in the words of Chainhook 1.x. */
export function receiptOf({ body, events }: HookTransaction, decode: boolean) {
  const called = body.tx_type === 'contract_call' ? [body.contract_call.contract_id] : [];
  const touched = events.flatMap(({ asset, contract }) => [asset?.split('::')[0], contract]);
  const assets = events.flatMap(({ asset }) => asset ?? []);
  const distinct = (names: (string | undefined)[]) => [...new Set(names.filter(name => name !== undefined))];
  return {
    mutated_contracts_radius: distinct([...called, ...touched]),
    mutated_assets_radius: distinct(assets),
    contract_calls_stack: called,
    events: events.flatMap(event => renderEvent(event, decode)),
  };
}

const types: Partial<Record<HookEvent['kind'], string>> = {
  stx_transfer: 'STXTransferEvent',
  stx_mint: 'STXMintEvent',
  stx_burn: 'STXBurnEvent',
  stx_lock: 'STXLockEvent',
  ft_transfer: 'FTTransferEvent',
  ft_mint: 'FTMintEvent',
  ft_burn: 'FTBurnEvent',
  nft_transfer: 'NFTTransferEvent',
  nft_mint: 'NFTMintEvent',
  nft_burn: 'NFTBurnEvent',
  print: 'SmartContractEvent',
};

function renderEvent(event: HookEvent, decode: boolean): object[] {
  const type = types[event.kind];
  return type === undefined ? [] : [{ type, data: dataOf(event, decode), position: { index: event.index } }];
}

function dataOf({ kind, asset, contract, sender, recipient, amount, value }: HookEvent, decode: boolean): object {
  if (kind === 'print') {
    const printed = decode ? { value: valueText(value) } : { raw_value: toHex(value) };
    return { contract_identifier: contract, topic: 'print', ...printed };
  }
  if (kind === 'stx_lock') return { locked_amount: amount, unlock_height: value.toString(), locked_address: sender };
  const sides = { sender, recipient };
  if (!kind.startsWith('nft_')) return { asset_identifier: asset, ...sides, amount };
  return decode
    ? { asset_class_identifier: asset, asset_identifier: valueText(value), ...sides }
    : { asset_identifier: asset, raw_value: toHex(value), ...sides };
}

/** Movements as pairs of operations in the style of Rosetta. */
export function movementsOf({ events }: HookTransaction): object[] {
  const parts = events.flatMap((event): object[] => {
    const { kind, sender, recipient } = event;
    if (kind === 'print' || kind === 'unknown') return [];
    if (kind === 'stx_lock') return [sideOf('LOCK', sender, event)];
    return [
      ...(sender === undefined ? [] : [sideOf('DEBIT', sender, event)]),
      ...(recipient === undefined ? [] : [sideOf('CREDIT', recipient, event)]),
    ];
  });
  return parts.map((part, index) => ({ operation_identifier: { index }, ...part }));
}

function sideOf(type: string, address: string | undefined, { kind, asset, amount, value }: HookEvent): object {
  const isNft = kind.startsWith('nft_');
  const standard = asset === undefined ? undefined : isNft ? 'SIP09' : 'SIP10';
  const metadata = {
    asset_class_identifier: asset,
    ...(isNft && { asset_identifier: toHex(value) }),
    standard,
  };
  const currency = asset === undefined ? { symbol: 'STX', decimals: 6 } : { symbol: 'TOKEN', decimals: 0, metadata };
  // Amounts of the chain may be above what a JavaScript number holds; here as in Chainhook they are numbers.
  return { type, status: 'SUCCESS', account: { address }, amount: { value: isNft ? 1 : Number(amount), currency } };
}
