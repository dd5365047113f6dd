import { deflatedFrame, textFrame } from './frame.ts';
import { type Topic, topicEvents } from './topic.ts';

/** A message about a topic, rendered at most once for each protocol and sent to all subscribers. */
export class Message {
  readonly topic: Topic;
  readonly #payload: object;
  #plain: Buffer | undefined;
  #deflated: Buffer | undefined;

  constructor(topic: Topic, payload: object) {
    this.topic = topic;
    this.#payload = payload;
  }

  /** The parameters of the JSON-RPC notification. */
  get params(): object {
    const { kind, key } = this.topic;
    if (kind === 'address-stx-balance' || kind === 'address-sbtc') return { address: key, ...this.#payload };
    if (kind !== 'address-transaction') return this.#payload;
    // Only this kind of payload contains a transaction.
    const { tx } = this.#payload as { tx: { tx_id: string; tx_status: string; tx_type: string } };
    return { address: key, tx_id: tx.tx_id, tx_status: tx.tx_status, tx_type: tx.tx_type, ...this.#payload };
  }

  /** The arguments of the Socket.IO event. */
  get args(): unknown[] {
    const { kind, key } = this.topic;
    switch (kind) {
      case 'address-transaction':
      case 'address-stx-balance':
      case 'address-sbtc':
      case 'nft-collection-event':
        return [key, this.#payload];
      case 'nft-asset-event': {
        const plus = key.indexOf('+');
        return [key.slice(0, plus), key.slice(plus + 1), this.#payload];
      }
      default:
        return [this.#payload];
    }
  }

  /** The WebSocket frame of the notification. */
  frame(deflate: boolean): Buffer {
    if (deflate) {
      this.#deflated ??= deflatedFrame(this.#text()) ?? this.frame(false);
      return this.#deflated;
    }
    this.#plain ??= textFrame(this.#text());
    return this.#plain;
  }

  #text(): Buffer {
    const notification = { jsonrpc: '2.0', method: topicEvents[this.topic.kind], params: this.params };
    return Buffer.from(JSON.stringify(notification));
  }
}
