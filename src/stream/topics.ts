import { type EventType, eventTypes } from '../read/events/event-types.ts';

/** What a reader of a stream can ask for. */
export const streamTopics = [
  'blocks',
  'transactions',
  'mempool',
  'events',
  'transfers',
  'contract_logs',
  'sbtc',
] as const;
export type StreamTopic = (typeof streamTopics)[number];

/** Kinds of events that the filter `event_type` names. */
export const streamEventTypes = eventTypes;
export type StreamEventType = EventType;

/** Conditions that all have to hold; an absent one always does. */
export type StreamFilter = {
  principal?: string;
  contract?: string;
  asset?: string;
  function?: string;
  eventTypes?: ReadonlySet<StreamEventType>;
};

export type FilterName = 'principal' | 'contract' | 'asset' | 'function' | 'event_type';

/** The topics that a filter selects from; it has no meaning for the others. */
export const filteredTopics: Record<FilterName, readonly StreamTopic[]> = {
  principal: ['transactions', 'mempool', 'events', 'transfers', 'contract_logs', 'sbtc'],
  contract: ['transactions', 'mempool', 'events', 'transfers', 'contract_logs', 'sbtc'],
  function: ['transactions', 'mempool'],
  asset: ['events', 'transfers'],
  event_type: ['events', 'transfers'],
};

/** The asset of STX in `asset`. */
export const STX_ASSET = 'STX';
