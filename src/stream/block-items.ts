import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { toHex } from '@cairn-stacks/codec/hex';
import { eventKind } from '../chain/event.ts';
import { assetId, movement, principalText, renderEvent } from '../read/events/event-schema.ts';
import type { EventRow } from '../read/events/events-queries.ts';
import type { PendingRow } from '../read/mempool/pending-summaries-queries.ts';
import { renderSbtcEvent } from '../read/sbtc/sbtc-event-schema.ts';
import type { SbtcEventRow } from '../read/sbtc/sbtc-events-queries.ts';
import { renderPending } from '../read/transactions/pending-summary-schema.ts';
import type { SummaryRow } from '../read/transactions/summaries-queries.ts';
import { renderSummary } from '../read/transactions/transaction-summary-schema.ts';
import type { StreamItem } from './item.ts';
import type { StreamContractLog, StreamTransfer } from './message-schema.ts';
import { STX_ASSET, type StreamEventType } from './topics.ts';

type Action = {
  sender: { address: string };
  sponsor: { address: string } | null;
  token_transfer?: { recipient: string };
  contract_call?: { contract_id: string; function_name: string };
  smart_contract?: { contract_id: string };
};

/** A mined transaction; `parties` are the principals that readers ask for and that it touched. */
export const transactionItem = (row: SummaryRow, parties: readonly string[]): StreamItem =>
  actionItem(renderSummary(row, '9.3'), parties);

/** A transaction that arrived, returned, or was dropped. */
export const pendingItem = (row: PendingRow): StreamItem => actionItem(renderPending(row), []);

function actionItem(body: object, parties: readonly string[]): StreamItem {
  const { sender, sponsor, token_transfer, contract_call, smart_contract } = body as Action;
  const contract = contract_call?.contract_id ?? smart_contract?.contract_id;
  const direct = [sender.address, sponsor?.address, token_transfer?.recipient, contract];
  return {
    json: JSON.stringify(body),
    principals: new Set([...parties, ...direct.filter(name => name !== undefined)]),
    contract,
    ...(contract_call && { function: contract_call.function_name }),
  };
}

/** What filters compare of an event. */
function keysOf(row: EventRow) {
  const kind = eventKind(row.kind);
  const isAsset = kind.startsWith('ft_') || kind.startsWith('nft_');
  const names = [row.sender, row.recipient, kind === 'print' ? row.contract : null].filter(name => name !== null);
  const asset = isAsset ? assetId(row) : kind.startsWith('stx_') ? STX_ASSET : undefined;
  return {
    principals: new Set(names.map(principalFromBytes)),
    contract: row.contract === null ? undefined : principalFromBytes(row.contract),
    eventType: (kind === 'print' ? 'contract_log' : kind) as StreamEventType,
    ...(asset !== undefined && { asset }),
  };
}

export const eventItem = (row: EventRow): StreamItem => ({ json: JSON.stringify(renderEvent(row)), ...keysOf(row) });

/** The movement of an asset; undefined for an event that moves nothing. */
export function transferItem(row: EventRow): StreamItem | undefined {
  const kind = eventKind(row.kind);
  if (kind === 'print' || kind === 'stx_lock' || kind === 'unknown') return undefined;
  const body: StreamTransfer = {
    tx_id: toHex(row.tx_id),
    event_index: row.event_index,
    asset: kind.startsWith('stx_') ? STX_ASSET : assetId(row),
    type: movement(kind),
    sender: row.sender === null ? null : principalText(row.sender),
    recipient: row.recipient === null ? null : principalText(row.recipient),
    amount: kind.startsWith('nft_') ? '1' : row.amount,
    value: kind.startsWith('nft_') ? clarityJson(row.value) : null,
  };
  return { json: JSON.stringify(body), ...keysOf(row) };
}

/** What a contract printed; undefined for another event. */
export function logItem(row: EventRow): StreamItem | undefined {
  if (eventKind(row.kind) !== 'print') return undefined;
  const body: StreamContractLog = {
    tx_id: toHex(row.tx_id),
    event_index: row.event_index,
    contract_id: principalText(row.contract),
    topic: 'print',
    value: clarityJson(row.value),
  };
  return { json: JSON.stringify(body), ...keysOf(row) };
}

/** What happened to sBTC. */
export function sbtcItem(row: SbtcEventRow): StreamItem {
  const body = renderSbtcEvent(row);
  const principals = new Set(body.principal === null ? [] : [body.principal]);
  return { json: JSON.stringify(body), principals, contract: body.contract_id };
}
