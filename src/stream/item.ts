import type { StreamEventType, StreamFilter, StreamTopic } from './topics.ts';

/** One object of a message: its JSON, rendered once for all readers, and what filters compare. */
export type StreamItem = {
  json: string;
  /** The principals that it concerns. */
  principals: ReadonlySet<string>;
  /** The contract that is called, deployed, or printed; that of the asset. */
  contract: string | undefined;
  asset?: string;
  function?: string;
  eventType?: StreamEventType;
};

/** The items of one step by topic. */
export type StreamItems = Partial<Record<StreamTopic, readonly StreamItem[]>>;

export function matches(item: StreamItem, filter: StreamFilter): boolean {
  const { principal, contract, asset, eventTypes } = filter;
  if (principal !== undefined && !item.principals.has(principal)) return false;
  if (contract !== undefined && item.contract !== contract) return false;
  if (asset !== undefined && item.asset !== asset) return false;
  if (filter.function !== undefined && item.function !== filter.function) return false;
  return eventTypes === undefined || (item.eventType !== undefined && eventTypes.has(item.eventType));
}
