import { badRequest } from '../errors.ts';
import { principalOf } from '../read/principals/principal-params.ts';
import type { Needs, Step } from './feed.ts';
import type { Scope } from './feed-queries.ts';
import { matches, type StreamItems } from './item.ts';
import { applyJson, mempoolJson, rollbackJson, type TopicList } from './message-json.ts';
import { RenderedMessage } from './rendered-message.ts';
import { type FilterName, filteredTopics, STX_ASSET, type StreamFilter, type StreamTopic } from './topics.ts';

/** What one reader asked for. */
export type View = {
  topics: ReadonlySet<StreamTopic>;
  filter: StreamFilter;
  needs: Needs;
  /** Two readers with the same key receive the same messages. */
  key: string;
};

/** Checks that each filter selects from each topic; blocks are always sent whole. */
export function openView(topics: readonly StreamTopic[], filter: StreamFilter): View {
  const named = { ...filter, event_type: filter.eventTypes };
  for (const [name, allowed] of Object.entries(filteredTopics) as [FilterName, readonly StreamTopic[]][]) {
    if (named[name] === undefined) continue;
    const other = topics.find(topic => topic !== 'blocks' && !allowed.includes(topic));
    if (other !== undefined || topics.every(topic => topic === 'blocks'))
      throw badRequest(
        `The filter ${name} selects from ${allowed.join(', ')}; it cannot be used with ${other ?? 'blocks'}.`,
      );
  }
  const wanted = new Set(topics);
  const scope = wanted.has('blocks')
    ? undefined
    : (scopeOf(filter) ?? (wanted.size === 1 ? ownScope(topics) : undefined));
  const needs = { ...needsOf(wanted), scope };
  const { eventTypes, ...others } = filter;
  const key = JSON.stringify([[...wanted].sort(), others, [...(eventTypes ?? [])].sort()]);
  return { topics: wanted, filter, needs, key };
}

/** What has to be read for some topics. */
export const needsOf = (topics: ReadonlySet<StreamTopic>): Omit<Needs, 'scope'> => ({
  transactions: topics.has('transactions'),
  // The events say which part of a long block is sent.
  events: ['events', 'transfers', 'contract_logs', 'sbtc'].some(topic => topics.has(topic as StreamTopic)),
  mempool: topics.has('mempool'),
  sbtc: topics.has('sbtc'),
});

/** Few blocks have something of sBTC. */
const ownScope = (topics: readonly StreamTopic[]): Scope | undefined =>
  topics.includes('sbtc') ? { sbtc: true } : undefined;

/** The filter by which the few blocks of a long history are found. */
function scopeOf({ principal, contract, asset, function: name }: StreamFilter): Scope | undefined {
  // A contract is a party of what it sends and receives, and not of what it prints.
  if (principal !== undefined && !principal.includes('.')) return { principal: principalOf(principal) };
  if (asset !== undefined && asset !== STX_ASSET) {
    const [id = '', assetName = ''] = asset.split('::');
    return { asset: { contract: principalOf(id), name: assetName } };
  }
  if (contract !== undefined) return { contract: principalOf(contract) };
  return name === undefined ? undefined : { function: name };
}

const messages = new WeakMap<Step, Map<string, RenderedMessage | undefined>>();

/** The message of a step for a view, made once for all readers with that view; undefined if it has nothing for them. */
export function messageOf(step: Step, view: View): RenderedMessage | undefined {
  const known = messages.get(step) ?? new Map<string, RenderedMessage | undefined>();
  messages.set(step, known);
  if (!known.has(view.key)) {
    const json = render(step, view);
    known.set(view.key, json === undefined ? undefined : new RenderedMessage(json, step.position));
  }
  return known.get(view.key);
}

function render(step: Step, view: View): string | undefined {
  switch (step.kind) {
    case 'rollback':
      return rollbackJson(step);
    case 'mempool': {
      const [list] = listsOf(step.items, view);
      return list && mempoolJson(step, list[1]);
    }
    case 'apply': {
      const lists = listsOf(step.items, view);
      if (lists.length === 0 && !view.topics.has('blocks')) return undefined;
      return applyJson(step, lists, step.position.rest !== undefined);
    }
  }
}

/** Each topic that has items for the view. */
function listsOf(items: StreamItems, { topics, filter }: View): TopicList[] {
  return Object.entries(items).flatMap(([topic, list]): TopicList[] => {
    if (!topics.has(topic as StreamTopic)) return [];
    const chosen = list.filter(item => matches(item, filter)).map(({ json }) => json);
    return chosen.length === 0 ? [] : [[topic as StreamTopic, chosen]];
  });
}
