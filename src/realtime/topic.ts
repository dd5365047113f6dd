import { isAssetId, isPrincipal } from '@cairn-stacks/codec/address/principal';
import { startsWithAddress } from '../read/principals/principal-pattern.ts';

/** Kinds of topics by their names in Socket.IO, with their names in the WebSocket protocol. */
export const topicEvents = {
  block: 'block',
  'removed-block': 'removed_block',
  microblock: 'microblock',
  mempool: 'mempool',
  transaction: 'tx_update',
  'address-transaction': 'address_tx_update',
  'address-stx-balance': 'address_balance_update',
  'nft-event': 'nft_event',
  'nft-asset-event': 'nft_asset_event',
  'nft-collection-event': 'nft_collection_event',
  sbtc: 'sbtc_event',
  'address-sbtc': 'address_sbtc_event',
} as const;

export type TopicKind = keyof typeof topicEvents;

/** A topic that a client can subscribe to: a kind and, for most kinds, a key. */
export type Topic = {
  kind: TopicKind;
  /** A transaction id, a principal, an asset, or an asset and a value separated by `+`; empty for kinds without a key. */
  key: string;
};

/** Longer keys cannot exist. */
const MAX_TOPIC = 4_096;

/** Parses a topic of a Socket.IO client; undefined if it is invalid. */
export function parseTopic(text: unknown): Topic | undefined {
  if (typeof text !== 'string' || text.length > MAX_TOPIC) return undefined;
  const colon = text.indexOf(':');
  const kind = colon < 0 ? text : text.slice(0, colon);
  if (!Object.hasOwn(topicEvents, kind)) return undefined;
  const topic = { kind: kind as TopicKind, key: colon < 0 ? '' : text.slice(colon + 1) };
  return colon >= 0 === takesKey(topic.kind) && isKey(topic) ? topic : undefined;
}

/** The name of a topic in Socket.IO. */
export const topicName = ({ kind, key }: Topic): string => (key === '' ? kind : `${kind}:${key}`);

/** The key of an NFT. */
export const assetKey = (asset: string, valueHex: string): string => `${asset}+${valueHex}`;

const takesKey = (kind: TopicKind) =>
  !['block', 'removed-block', 'microblock', 'mempool', 'nft-event', 'sbtc'].includes(kind);

function isKey({ kind, key }: Topic): boolean {
  switch (kind) {
    case 'transaction':
      return isHex(key);
    case 'address-transaction':
    case 'address-stx-balance':
    case 'address-sbtc':
      return isAddress(key);
    case 'nft-collection-event':
      return isAsset(key);
    case 'nft-asset-event': {
      const plus = key.indexOf('+');
      return plus > 0 && isAsset(key.slice(0, plus)) && isHex(key.slice(plus + 1));
    }
    default:
      return true;
  }
}

/** True for bytes as hex after `0x`. */
export const isHex = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= MAX_TOPIC && /^0x(?:[0-9a-f]{2})+$/i.test(text);

export const isAddress = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= 256 && startsWithAddress(text) && isPrincipal(text);

export const isAsset = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= 512 && isAssetId(text);
