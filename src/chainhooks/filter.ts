import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import type { Needs } from '../stream/feed.ts';
import { openView } from '../stream/view.ts';
import type { HookEvent, HookTransaction } from './block.ts';
import type { Filter } from './filter-schema.ts';

/** Whether a transaction is what one of the filters asks for. */
export const matchesSome = (filters: readonly Filter[], transaction: HookTransaction): boolean =>
  filters.some(filter => matches(filter, transaction));

/** The fields of all filters of movements. */
type Wanted = {
  asset_identifier?: string;
  sender?: string;
  receiver?: string;
  value?: number | string;
};

function matches(filter: Filter, { body, events }: HookTransaction): boolean {
  const isOf = (wanted: string | undefined, found: string | undefined) => wanted === undefined || wanted === found;
  switch (filter.type) {
    case 'coinbase':
      return body.tx_type === 'coinbase';
    case 'tenure_change': {
      if (body.tx_type !== 'tenure_change') return false;
      const { cause } = body.tenure_change_payload;
      return filter.cause === undefined || (filter.cause === 'extended') === cause.startsWith('extended');
    }
    case 'contract_deploy':
      return (
        body.tx_type === 'smart_contract' &&
        isOf(filter.contract_identifier, body.smart_contract.contract_id) &&
        isOf(filter.sender, body.sender_address)
      );
    case 'contract_call':
      return (
        body.tx_type === 'contract_call' &&
        isOf(filter.contract_identifier, body.contract_call.contract_id) &&
        isOf(filter.function_name, body.contract_call.function_name) &&
        isOf(filter.sender, body.sender_address)
      );
    case 'contract_log':
      return (
        isOf(filter.sender, body.sender_address) &&
        events.some(({ kind, contract }) => kind === 'print' && isOf(filter.contract_identifier, contract))
      );
    case 'balance_change': {
      const { principal } = filter;
      const payer = body.sponsored ? body.sponsor_address : body.sender_address;
      if (payer === principal && body.fee_rate !== '0') return true;
      return events.some(
        ({ kind, sender, recipient }) => isMove(kind) && (sender === principal || recipient === principal),
      );
    }
    case 'stx_event':
    case 'ft_event':
    case 'nft_event': {
      const family = filter.type.slice(0, -'event'.length);
      return events.some(event => event.kind.startsWith(family) && isMove(event.kind) && fits(event, filter as Wanted));
    }
    default:
      return events.some(event => event.kind === filter.type && fits(event, filter as Wanted));
  }
}

const isMove = (kind: string) => /^(?:stx|ft|nft)_(?:transfer|mint|burn)$/.test(kind);

function fits({ asset, sender, recipient, value }: HookEvent, filter: Wanted): boolean {
  if (filter.asset_identifier !== undefined && filter.asset_identifier !== asset) return false;
  if (filter.sender !== undefined && filter.sender !== sender) return false;
  if (filter.receiver !== undefined && filter.receiver !== recipient) return false;
  if (filter.value === undefined) return true;
  const { hex, repr } = clarityJson(value);
  return typeof filter.value === 'number' ? repr === `u${filter.value}` : repr === filter.value || hex === filter.value;
}

/** What leads through a long history to the blocks that a single filter may match. */
export function scopeOf(filters: readonly Filter[]): Needs['scope'] {
  const [only, ...others] = filters;
  if (!only || others.length > 0) return undefined;
  const {
    asset_identifier: asset,
    contract_identifier: contract,
    function_name,
    sender,
    receiver,
    principal,
  } = only as Record<string, string | undefined>;
  const account = [sender, receiver, principal].find(name => name !== undefined && !name.includes('.'));
  if (asset !== undefined) return openView(['transfers'], { asset }).needs.scope;
  if (contract !== undefined && only.type !== 'contract_deploy')
    return openView([only.type === 'contract_log' ? 'contract_logs' : 'transactions'], { contract }).needs.scope;
  if (account !== undefined) return openView(['transactions'], { principal: account }).needs.scope;
  return function_name === undefined ? undefined : openView(['transactions'], { function: function_name }).needs.scope;
}
