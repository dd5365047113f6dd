import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import type { Sql } from '../db/client.ts';
import { splitHashes } from '../read/blocks/hashes-queries.ts';
import type { InterfaceStore } from '../read/contracts/interfaces-queries.ts';
import { findMempoolTransactions } from '../read/mempool/mempool-queries.ts';
import { renderMempoolTransaction } from '../read/mempool/mempool-transaction-schema.ts';
import { findMinedArrivals } from '../read/mempool/mined-arrivals-queries.ts';
import { Message } from './message.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { Topic } from './topic.ts';

const mempoolTopic: Topic = { kind: 'mempool', key: '' };
/** Transactions read by one statement. */
const AT_ONCE = 500;

/** Messages about transactions that arrived, returned or were dropped; one mined meanwhile is announced as pending first. */
export async function mempoolMessages(
  sql: Sql,
  subscriptions: Subscriptions,
  interfaces: InterfaceStore,
  txIds: Buffer,
): Promise<Message[]> {
  const topicOf = (id: Uint8Array): Topic => ({ kind: 'transaction', key: toHex(id) });
  const all = subscriptions.has(mempoolTopic);
  const ids = splitHashes(txIds).filter(id => all || subscriptions.has(topicOf(id)));
  const messages: Message[] = [];
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const part = ids.slice(i, i + AT_ONCE);
    const found = await findMempoolTransactions(sql, part, interfaces);
    const mined = await findMinedArrivals(
      sql,
      part.filter(id => !found.has(bareHex(id))),
      interfaces,
    );
    for (const id of part) {
      const row = found.get(bareHex(id)) ?? mined.get(bareHex(id));
      if (!row) continue;
      const payload = renderMempoolTransaction(row);
      for (const topic of [mempoolTopic, topicOf(id)]) {
        if (subscriptions.has(topic)) messages.push(new Message(topic, payload));
      }
    }
  }
  return messages;
}
