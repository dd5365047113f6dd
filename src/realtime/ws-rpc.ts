import { type Handle, type RpcResult, rpcErrors } from './json-rpc.ts';
import { assetKey, isAddress, isAsset, isHex, type Topic, type TopicKind, topicEvents } from './topic.ts';

/** What a connection can do with a topic. */
export type Session = {
  /** False when the connection has as many subscriptions as it may have. */
  subscribe(topic: Topic): boolean;
  unsubscribe(topic: Topic): void;
};

/** What the parameters of a request name: a topic and the result that confirms it, or what is wrong with them. */
type Named = { topic?: Topic; result: object } | { wrong: string };

const kinds = new Map(Object.entries(topicEvents).map(([kind, event]) => [event as string, kind as TopicKind]));

/** The two methods of a connection. */
export const handler =
  (session: Session, maxSubscriptions: number): Handle =>
  (method, params): RpcResult => {
    if (method !== 'subscribe' && method !== 'unsubscribe') return { error: rpcErrors.unknownMethod() };
    const named = nameTopic(params);
    if ('wrong' in named) return { error: rpcErrors.invalidParams(named.wrong) };
    if (named.topic && method === 'unsubscribe') session.unsubscribe(named.topic);
    if (named.topic && method === 'subscribe' && !session.subscribe(named.topic)) {
      return { error: rpcErrors.limit(`a connection may have ${maxSubscriptions} subscriptions`) };
    }
    return { result: named.result };
  };

function nameTopic(params: unknown): Named {
  const given = typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};
  const { event, tx_id: txId, address, asset_identifier: asset, value } = given;
  if (event === undefined) return { wrong: 'subscription requests must include an event name' };
  const kind = typeof event === 'string' ? kinds.get(event) : undefined;
  switch (kind) {
    case undefined:
      return { wrong: 'subscription request must use a valid event name' };
    case 'transaction': {
      const key = normalTxId(txId);
      return key === undefined ? { wrong: 'invalid tx_id' } : { topic: { kind, key }, result: { tx_id: key } };
    }
    case 'address-transaction':
    case 'address-stx-balance':
      return isAddress(address) ? { topic: { kind, key: address }, result: { address } } : { wrong: 'invalid address' };
    case 'nft-collection-event':
    case 'nft-asset-event':
      return nameAsset(kind, asset, value);
    default:
      return { topic: { kind, key: '' }, result: {} };
  }
}

/** The id as it is written in answers. */
function normalTxId(txId: unknown): string | undefined {
  if (typeof txId !== 'string' || !/^(?:0x)?[0-9a-f]{64}$/i.test(txId)) return undefined;
  return `0x${txId.slice(-64).toLowerCase()}`;
}

/** Clients of the older service are told that a subscription to nothing is fine. */
function nameAsset(kind: 'nft-collection-event' | 'nft-asset-event', asset: unknown, value: unknown): Named {
  if (asset === undefined && value === undefined) return { result: {} };
  if (!isAsset(asset)) return { wrong: 'invalid asset_identifier' };
  if (kind === 'nft-collection-event') return { topic: { kind, key: asset }, result: { asset_identifier: asset } };
  if (!isHex(value)) return { wrong: 'invalid value' };
  return { topic: { kind, key: assetKey(asset, value.toLowerCase()) }, result: { asset_identifier: asset, value } };
}
