import { type BnsName, labelOf } from '@cairn-stacks/codec/bns-name';
import { bytesOf, type Fields, fieldsOf, principalOf, textOf, uintOf } from '../print-fields.ts';
import { nameIn } from './bns-v1.ts';

/** The content of a print of version 2. */
export type NameTopic = 'new-name' | 'new-airdrop' | 'transfer-name' | 'renew-name' | 'burn-name';

export type TopicPrint = {
  topic: NameTopic;
  name: BnsName;
  token: bigint;
  /** Absent for a burnt name. */
  owner?: string;
  imported: boolean;
  /** Burn height; absent where the print has no properties. */
  renewal?: bigint;
};

const topics = new Set<string>([
  'new-name',
  'new-airdrop',
  'transfer-name',
  'renew-name',
  'burn-name',
] satisfies NameTopic[]);

/** Reads a print about a name; undefined for any other. */
export function readTopicPrint(fields: Fields): TopicPrint | undefined {
  const topic = textOf(fields.get('topic'));
  const name = nameIn(fieldsOf(fields.get('name')));
  const token = uintOf(fields.get('id'));
  if (topic === undefined || !topics.has(topic) || !name || token === undefined) return undefined;
  const owner = principalOf(fields.get('owner'));
  const properties = fieldsOf(fields.get('properties'));
  const renewal = uintOf(properties.get('renewal-height'));
  return {
    topic: topic as NameTopic,
    name,
    token,
    imported: uintOf(properties.get('imported-at')) !== undefined,
    ...(owner !== undefined && { owner }),
    ...(renewal !== undefined && { renewal }),
  };
}

export type MarketPrint = { action: 'list-in-ustx' | 'unlist-in-ustx' | 'buy-in-ustx'; token: bigint; price?: bigint };

/** Reads prints of the market of version 2, which use the key `a`. */
export function readMarketPrint(fields: Fields): MarketPrint | undefined {
  const action = textOf(fields.get('a'));
  const token = uintOf(fields.get('id'));
  if (token === undefined) return undefined;
  const price = uintOf(fields.get('price'));
  if (action === 'list-in-ustx') return price === undefined ? undefined : { action, token, price };
  return action === 'unlist-in-ustx' || action === 'buy-in-ustx' ? { action, token } : undefined;
}

export type ResolverPrint = { topic: 'update-zonefile' | 'revoke-name'; name: BnsName; zonefile?: Uint8Array };

/** Reads a print of the zonefile resolver; a zonefile that was taken away is absent. */
export function readResolverPrint(fields: Fields): ResolverPrint | undefined {
  const topic = textOf(fields.get('topic'));
  const name = labelOf(bytesOf(fields.get('name')));
  const namespace = labelOf(bytesOf(fields.get('namespace')));
  if (name === undefined || namespace === undefined) return undefined;
  if (topic === 'revoke-name') return { topic, name: { name, namespace } };
  if (topic !== 'update-zonefile') return undefined;
  const zonefile = bytesOf(fields.get('new-zonefile')) ?? bytesOf(fields.get('zonefile'));
  return { topic, name: { name, namespace }, ...(zonefile && { zonefile }) };
}
