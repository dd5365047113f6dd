import type { Message } from './message.ts';
import { type Topic, type TopicKind, topicEvents } from './topic.ts';

/** A receiver of messages: one WebSocket client, or Socket.IO as a whole. */
export type Subscriber = { deliver(message: Message): void };

/** Subscribers by topic. */
export class Subscriptions {
  readonly #kinds: ReadonlyMap<TopicKind, Map<string, Set<Subscriber>>> = new Map(
    Object.keys(topicEvents).map(kind => [kind as TopicKind, new Map()]),
  );
  #count = 0;

  /** Number of all subscriptions. */
  get count(): number {
    return this.#count;
  }

  add({ kind, key }: Topic, subscriber: Subscriber): void {
    const keys = this.#kinds.get(kind)!;
    let subscribers = keys.get(key);
    if (!subscribers) {
      subscribers = new Set();
      keys.set(key, subscribers);
    }
    this.#count -= subscribers.size;
    subscribers.add(subscriber);
    this.#count += subscribers.size;
  }

  remove({ kind, key }: Topic, subscriber: Subscriber): void {
    const keys = this.#kinds.get(kind)!;
    const subscribers = keys.get(key);
    if (!subscribers?.delete(subscriber)) return;
    this.#count--;
    if (subscribers.size === 0) keys.delete(key);
  }

  /** True if one of these kinds has a subscriber. */
  any(...kinds: TopicKind[]): boolean {
    return kinds.some(kind => this.#kinds.get(kind)!.size > 0);
  }

  has({ kind, key }: Topic): boolean {
    return this.#kinds.get(kind)!.has(key);
  }

  /** Subscribed topics of a kind. */
  keys(kind: TopicKind): string[] {
    return [...this.#kinds.get(kind)!.keys()];
  }

  /** Sends a message to every subscriber of its topic; returns their number. */
  publish(message: Message): number {
    const subscribers = this.#kinds.get(message.topic.kind)!.get(message.topic.key);
    if (!subscribers) return 0;
    // A client that is too slow leaves the set during the loop.
    for (const subscriber of subscribers) subscriber.deliver(message);
    return subscribers.size;
  }
}
