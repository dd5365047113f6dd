import { packPrincipal, parseAssetId, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { type ChainEvent, eventCodes } from '../../chain/event.ts';
import { renderEvent, type TransactionEvent } from './event-schema.ts';

const none = Buffer.alloc(0);
const bytesOf = (principal: string) => Buffer.from(principalToBytes(principal));

/** An event that no table holds, such as one of a simulation, as `renderEvent` renders stored ones; undefined for an unknown type. */
export function renderUnstored(txId: Buffer, event_index: number, event: ChainEvent): TransactionEvent | undefined {
  if (event.kind === 'unknown') return undefined;
  const asset = 'asset' in event ? parseAssetId(event.asset) : undefined;
  const sender = event.kind === 'stx_lock' ? event.principal : 'sender' in event ? event.sender : undefined;
  return renderEvent({
    ...{ height: 0, place: 0, event_index, kind: eventCodes[event.kind], tx_id: txId },
    sender: sender === undefined ? null : bytesOf(sender),
    recipient: 'recipient' in event ? bytesOf(event.recipient) : null,
    contract: asset
      ? Buffer.from(packPrincipal(asset.contract))
      : event.kind === 'print'
        ? bytesOf(event.contract)
        : null,
    asset_name: asset?.asset ?? null,
    amount: 'amount' in event ? String(event.amount) : '0',
    value: bytesIn(event),
  });
}

function bytesIn(event: ChainEvent): Buffer {
  if ('value' in event) return Buffer.from(event.value);
  if (event.kind === 'stx_transfer') return Buffer.from(event.memo);
  return event.kind === 'stx_lock' ? Buffer.from(String(event.unlockHeight)) : none;
}
