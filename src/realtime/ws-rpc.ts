import { PublicError } from '../errors.ts';
import { type Handle, type RpcResult, rpcErrors } from './json-rpc.ts';
import { STREAM } from './stream-frames.ts';
import { assetKey, isAddress, isAsset, isHex, type Topic, type TopicKind, topicEvents } from './topic.ts';

/** Subscriptions of a connection. */
export type Session = {
  /** False if the connection has its maximum of subscriptions. */
  subscribe(topic: Topic): boolean;
  unsubscribe(topic: Topic): void;
  /** Begins the stream of the connection. Throws a public error that says what is wrong with the parameters. */
  openStream(params: object): void;
  closeStream(): void;
};

/** The topic that the parameters of a request name and the result that confirms it, or an error. */
type Named = { topic?: Topic; result: object } | { wrong: string };

const kinds = new Map(Object.entries(topicEvents).map(([kind, event]) => [event as string, kind as TopicKind]));

/** The methods `subscribe` and `unsubscribe` of a connection. */
export const handler =
  (session: Session, maxSubscriptions: number): Handle =>
  (method, params): RpcResult => {
    if (method !== 'subscribe' && method !== 'unsubscribe') return { error: rpcErrors.unknownMethod() };
    const { event, ...rest } = fieldsOf(params);
    if (event === STREAM) return method === 'subscribe' ? openStream(session, rest) : closeStream(session);
    const named = nameTopic(params);
    if ('wrong' in named) return { error: rpcErrors.invalidParams(named.wrong) };
    if (named.topic && method === 'unsubscribe') session.unsubscribe(named.topic);
    if (named.topic && method === 'subscribe' && !session.subscribe(named.topic)) {
      return { error: rpcErrors.limit(`a connection may have ${maxSubscriptions} subscriptions`) };
    }
    return { result: named.result };
  };

const fieldsOf = (params: unknown) =>
  typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};

function openStream(session: Session, params: object): RpcResult {
  try {
    session.openStream(params);
    return { result: {} };
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    const { status, message } = error;
    return { error: status === 400 ? rpcErrors.invalidParams(message) : rpcErrors.limit(message) };
  }
}

function closeStream(session: Session): RpcResult {
  session.closeStream();
  return { result: {} };
}

function nameTopic(params: unknown): Named {
  const { event, tx_id: txId, address, asset_identifier: asset, value } = fieldsOf(params);
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
    case 'address-sbtc':
      return isAddress(address) ? { topic: { kind, key: address }, result: { address } } : { wrong: 'invalid address' };
    case 'nft-collection-event':
    case 'nft-asset-event':
      return nameAsset(kind, asset, value);
    default:
      return { topic: { kind, key: '' }, result: {} };
  }
}

/** The id in the form of API responses. */
function normalTxId(txId: unknown): string | undefined {
  if (typeof txId !== 'string' || !/^(?:0x)?[0-9a-f]{64}$/i.test(txId)) return undefined;
  return `0x${txId.slice(-64).toLowerCase()}`;
}

/** Accepts a subscription without an asset, as the incumbent does; it has no effect. */
function nameAsset(kind: 'nft-collection-event' | 'nft-asset-event', asset: unknown, value: unknown): Named {
  if (asset === undefined && value === undefined) return { result: {} };
  if (!isAsset(asset)) return { wrong: 'invalid asset_identifier' };
  if (kind === 'nft-collection-event') return { topic: { kind, key: asset }, result: { asset_identifier: asset } };
  if (!isHex(value)) return { wrong: 'invalid value' };
  return { topic: { kind, key: assetKey(asset, value.toLowerCase()) }, result: { asset_identifier: asset, value } };
}
