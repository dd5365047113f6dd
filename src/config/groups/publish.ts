import * as is from '../setting.ts';
import { optional, set } from '../setting.ts';

/** The message broker that the journal is published to. */
export const publishSettings = {
  publish: optional({
    name: 'CAIRN_PUBLISH',
    kind: is.broker,
    unset: 'nothing is published',
    secret: true,
    about:
      'NATS server with JetStream that the journal is published to. It needs the packages `@nats-io/transport-node` and `@nats-io/jetstream`.',
  }),
  publishStream: set({
    name: 'CAIRN_PUBLISH_STREAM',
    kind: is.streamName,
    fallback: 'CAIRN',
    about: 'Name of the stream. It is made if it is absent; a stream that exists keeps its own limits.',
  }),
  publishPrefix: set({
    name: 'CAIRN_PUBLISH_PREFIX',
    kind: is.subjectPrefix,
    fallback: 'cairn',
    about: 'What subjects begin with; a dot and the topic follow. Give each network a prefix and a stream of its own.',
  }),
  publishTopics: set({
    name: 'CAIRN_PUBLISH_TOPICS',
    kind: is.list(is.choice('blocks', 'transactions', 'mempool', 'events', 'transfers', 'contract_logs', 'sbtc')),
    fallback: 'blocks,transactions,mempool,events,transfers,contract_logs',
    about: 'Comma-separated topics that are published, also `sbtc`; rollbacks always are.',
  }),
  publishFrom: optional({
    name: 'CAIRN_PUBLISH_FROM',
    kind: is.integer('a block height', 0, 2_147_483_646),
    unset: 'what happens from now on',
    about:
      'Height of the first block in a stream that has never had a message. Other streams go on from their last message.',
  }),
  publishMaxAge: set({
    name: 'CAIRN_PUBLISH_MAX_AGE',
    kind: is.integer('whole hours, at least 1', 1, 1_000_000),
    fallback: '168',
    about: 'Hours after which a stream that Cairn makes forgets a message.',
  }),
  publishMaxBytes: optional({
    name: 'CAIRN_PUBLISH_MAX_BYTES',
    kind: is.bytes,
    unset: 'no limit but that of the server',
    about: 'Bytes of messages that a stream that Cairn makes keeps; the oldest make room.',
  }),
  publishReplicas: set({
    name: 'CAIRN_PUBLISH_REPLICAS',
    kind: is.integer('a number of servers from 1 to 5', 1, 5),
    fallback: '1',
    about: 'Servers of a cluster that keep each message of a stream that Cairn makes.',
  }),
} as const;
