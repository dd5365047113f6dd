import { Type } from 'typebox';
import { version } from '../config/version.ts';
import { Block } from '../read/blocks/block-schema.ts';
import { Microblock } from '../read/blocks/microblock-schema.ts';
import { TransactionEvent } from '../read/events/event-schema.ts';
import { MempoolTransaction } from '../read/mempool/mempool-transaction-schema.ts';
import { documentedValues, NEWER } from '../read/pages/known-values.ts';
import { StxBalance } from '../read/principals/balance-schema.ts';
import { SbtcEvent } from '../read/sbtc/sbtc-event-schema.ts';
import { PostCondition } from '../read/transactions/post-condition-schema.ts';
import { Transaction } from '../read/transactions/transaction-schema.ts';
import { StreamMessage } from '../stream/message-schema.ts';
import { NftEvent } from './nft-event-schema.ts';
import { STREAM } from './stream-frames.ts';
import { type TopicKind, topicEvents } from './topic.ts';

const side = Type.Union([Type.String(), Type.Null()]);

/** A transaction with the STX it moved for an account. */
export const AddressTransaction = Type.Object(
  {
    tx: Transaction,
    stx_sent: Type.String({
      description: 'Micro-STX that left the account, including the fee if the account paid it.',
    }),
    stx_received: Type.String({ description: 'Micro-STX that the account received.' }),
    stx_transfers: Type.Array(
      Type.Object({ amount: Type.String({ description: 'Amount in micro-STX.' }), sender: side, recipient: side }),
    ),
  },
  { title: 'RealtimeAddressTransaction' },
);

const address = { address: Type.String() };
const schemas = {
  Block,
  Microblock,
  Transaction,
  MempoolTransaction,
  NftEvent,
  SbtcEvent,
  AddressSbtcEvent: Type.Object({ ...address, ...SbtcEvent.properties }),
  StxBalance,
  AddressTransaction,
  AddressTransactionUpdate: Type.Object({
    ...address,
    tx_id: Type.String(),
    tx_status: Type.String(),
    tx_type: Type.String(),
    ...AddressTransaction.properties,
  }),
  StreamMessage,
  AddressBalanceUpdate: Type.Object({ ...address, ...StxBalance.properties }),
};
type SchemaName = keyof typeof schemas;

const ref = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };

/** Description of each kind of topic, parameters of a WebSocket request, and payloads of both protocols. */
const topics: Record<TopicKind, { about: string; params: string[]; ws: object; io: object[] }> = {
  block: {
    about:
      'Sent for each block that becomes canonical, and with `canonical: false` for each that arrives on another branch.',
    ...plain('Block'),
  },
  'removed-block': {
    about: 'Sent with `canonical: false` for each canonical block that a fork removed, the highest first.',
    ...plain('Block'),
  },
  microblock: { about: 'Sent for each new microblock on the tip.', ...plain('Microblock') },
  mempool: {
    about: 'Sent for each transaction that enters the mempool, returns to it or is dropped from it.',
    ...plain('MempoolTransaction'),
  },
  transaction: {
    about: 'Sent when a transaction becomes pending, is dropped, enters a microblock or is confirmed.',
    params: ['tx_id'],
    ws: { oneOf: [ref('Transaction'), ref('MempoolTransaction')] },
    io: [{ oneOf: [ref('Transaction'), ref('MempoolTransaction')] }],
  },
  'address-transaction': {
    about: 'Sent for each confirmed transaction that involves an account.',
    params: ['address'],
    ws: ref('AddressTransactionUpdate'),
    io: [text, ref('AddressTransaction')],
  },
  'address-stx-balance': {
    about:
      'Sent with the STX balance of an account after each block that changed it, and after a fork removed such a block.',
    params: ['address'],
    ws: ref('AddressBalanceUpdate'),
    io: [text, ref('StxBalance')],
  },
  'nft-event': { about: 'Sent for each mint, transfer and burn of an NFT.', ...plain('NftEvent') },
  'nft-asset-event': {
    about: 'Sent for each mint, transfer and burn of one NFT.',
    params: ['asset_identifier', 'value'],
    ws: ref('NftEvent'),
    io: [text, text, ref('NftEvent')],
  },
  'nft-collection-event': {
    about: 'Sent for each mint, transfer and burn of an NFT of one class.',
    params: ['asset_identifier'],
    ws: ref('NftEvent'),
    io: [text, ref('NftEvent')],
  },
  sbtc: {
    about:
      'Sent for each deposit of sBTC, each request and end of a withdrawal, and each change of signers or contracts.',
    ...plain('SbtcEvent'),
  },
  'address-sbtc': {
    about: 'Sent for each deposit of sBTC to an account, and for its withdrawals when requested and when they end.',
    params: ['address'],
    ws: ref('AddressSbtcEvent'),
    io: [text, ref('SbtcEvent')],
  },
};

function plain(name: SchemaName) {
  return { params: [], ws: ref(name), io: [ref(name)] };
}

const aboutStream = 'Sent for each change of the chain that matches, in order and without gap, after a position.';
const kinds = Object.keys(topics) as TopicKind[];
const object = (properties: object, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const rpc = (properties: object) => object({ jsonrpc: { const: '2.0' }, ...properties });
const byName = <T>(names: readonly T[], make: (name: T) => [string, unknown]) => Object.fromEntries(names.map(make));

/** Schemas that other schemas contain. */
const shared: Record<string, object> = { ...schemas, TransactionEvent, PostCondition };

/** A copy in which shared schemas are references. */
function withRefs(schema: object, own: string): unknown {
  const shown = JSON.stringify(schema, (_, value) =>
    Array.isArray(value) ? value.filter(each => each?.[NEWER] !== true) : value,
  );
  return JSON.parse(shown, (_, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const name = Object.keys(shared).find(each => each !== own && titleOf(shared[each]) === titleOf(value));
    return titleOf(value) !== undefined && name !== undefined
      ? { $ref: `#/components/schemas/${name}` }
      : documentedValues(value);
  });
}

const titleOf = (schema: unknown): string | undefined =>
  typeof schema === 'object' && schema !== null ? (schema as { title?: string }).title : undefined;

/** The AsyncAPI document as text, generated from the schemas of the messages. */
export function printAsyncApi(): string {
  const params = kinds.map(kind =>
    object({ event: { const: topicEvents[kind] }, ...byName(topics[kind].params, p => [p, text]) }),
  );
  const names = ['after', 'principal', 'contract', 'asset', 'function'];
  const lists = byName(['topics', 'event_type'], name => [name, { type: 'array', items: text }]);
  const stream = { ...byName(names, name => [name, text]), from_height: { type: 'integer' }, ...lists };
  params.push(object({ event: { const: STREAM }, ...stream }, ['event']));
  const id = { type: ['string', 'number', 'null'] };
  const request = rpc({ id, method: { enum: ['subscribe', 'unsubscribe'] }, params: { oneOf: params } });
  const error = object({ message: text, code: { type: 'integer' }, data: text }, ['message', 'code']);
  const response = { oneOf: [rpc({ id, result: { type: 'object' } }), rpc({ id, error })] };
  const ws = byName(kinds, kind => {
    const payload = rpc({ method: { const: topicEvents[kind] }, params: topics[kind].ws });
    return [topicEvents[kind], { summary: topics[kind].about, payload }];
  });
  ws[STREAM] = { summary: aboutStream, payload: rpc({ method: { const: STREAM }, params: ref('StreamMessage') }) };
  const io = byName(kinds, kind => {
    const { about, io: items } = topics[kind];
    return [kind, { summary: about, payload: { type: 'array', prefixItems: items, minItems: items.length } }];
  });
  io[STREAM] = { summary: aboutStream, payload: { type: 'array', prefixItems: [ref('StreamMessage')], minItems: 1 } };
  const of = (channel: string, names: string[]) => names.map(n => ({ $ref: `#/channels/${channel}/messages/${n}` }));
  const document = {
    asyncapi: '3.0.0',
    info: { title: 'Cairn realtime', version, license: { name: 'Apache-2.0' } },
    channels: {
      ws: {
        address: '/extended/v1/ws',
        messages: { request: { payload: request }, response: { payload: response }, ...ws },
      },
      socketio: {
        address: '/socket.io/',
        description: 'Each message is an event with the name of its topic. The payload is the array of its arguments.',
        messages: io,
      },
    },
    operations: {
      request: { action: 'receive', channel: { $ref: '#/channels/ws' }, messages: of('ws', ['request']) },
      notify: {
        action: 'send',
        channel: { $ref: '#/channels/ws' },
        messages: of('ws', ['response', ...Object.keys(ws)]),
      },
      emit: { action: 'send', channel: { $ref: '#/channels/socketio' }, messages: of('socketio', Object.keys(io)) },
    },
    components: { schemas: byName(Object.keys(shared), name => [name, withRefs(shared[name]!, name)]) },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
