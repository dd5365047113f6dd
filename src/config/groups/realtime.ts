import * as is from '../setting.ts';
import { set } from '../setting.ts';

/** WebSocket and Socket.IO clients. */
export const realtimeSettings = {
  wsPingInterval: set({
    name: 'CAIRN_WS_PING_INTERVAL',
    kind: is.seconds,
    fallback: '15',
    aliases: ['STACKS_API_WS_PING_INTERVAL'],
    about:
      'Seconds between pings to a realtime client. A client that has not replied by the next ping is disconnected.',
  }),
  wsIdleTimeout: set({
    name: 'CAIRN_WS_IDLE_TIMEOUT',
    kind: is.seconds,
    fallback: '300',
    about: 'Seconds after which a WebSocket without subscriptions and without messages is closed.',
  }),
  wsMaxConnections: set({
    name: 'CAIRN_WS_MAX_CONNECTIONS',
    kind: is.integer('a number of connections, at least 1', 1, 1_000_000),
    fallback: '20000',
    about: 'Maximum number of realtime connections, counted separately for WebSocket and Socket.IO.',
  }),
  wsMaxPerAddress: set({
    name: 'CAIRN_WS_MAX_PER_ADDRESS',
    kind: is.integer('a number of connections, at least 1', 1, 1_000_000),
    fallback: '1000',
    about:
      'Maximum number of realtime connections of one client address, both kinds together. Clients on this machine are not limited.',
  }),
  wsMaxSubscriptions: set({
    name: 'CAIRN_WS_MAX_SUBSCRIPTIONS',
    kind: is.integer('a number of subscriptions, at least 1', 1, 1_000_000),
    fallback: '2000',
    about: 'Maximum number of subscriptions of one realtime connection.',
  }),
  wsMaxMessage: set({
    name: 'CAIRN_WS_MAX_MESSAGE',
    kind: is.bytes,
    fallback: '262144',
    about: 'Maximum size of a message of a realtime client in bytes.',
  }),
  wsMaxBuffered: set({
    name: 'CAIRN_WS_MAX_BUFFERED',
    kind: is.bytes,
    fallback: '4194304',
    about:
      'Maximum number of unsent bytes for one realtime client. Above it, the client is too slow and is disconnected; WebSocket clients get the reason.',
  }),
  wsMaxBufferedTotal: set({
    name: 'CAIRN_WS_MAX_BUFFERED_TOTAL',
    kind: is.bytes,
    fallback: '268435456',
    about:
      'Maximum number of unsent bytes for all realtime clients together. Above it, the clients with the most are disconnected.',
  }),
} as const;
