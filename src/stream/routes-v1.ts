import { toHex } from '@cairn-stacks/codec/hex';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { positionText } from '../chain/position.ts';
import { PublicError } from '../errors.ts';
import { ErrorBody } from '../http/error-body.ts';
import { listPublisherStandings } from '../read/status/publishers-queries.ts';
import { PublisherStatus, renderPublisher } from '../read/status/publishers-schema.ts';
import { StreamMessage, StreamPosition } from './message-schema.ts';
import { AfterParam, FromHeightParam, refuseUnknown, viewOf, viewQuery } from './stream-params.ts';
import type { Streams } from './streams.ts';

const tags = ['Streams'];

const FeedsStatus = Type.Object(
  {
    open: Type.Object(
      { sse: Type.Integer(), websocket: Type.Integer(), 'socket.io': Type.Integer() },
      { description: 'Open streams of this process by transport.' },
    ),
    messages: Type.Integer({ description: 'Messages sent since the start of this process.' }),
    position: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Highest journal number that a stream of this process has reached; null without streams.',
    }),
    buffered_bytes: Type.Integer({ description: 'Unsent bytes for all realtime clients of this process.' }),
    ended: Type.Object(
      {
        slow: Type.Integer({ description: 'Streams whose client did not read.' }),
        stopping: Type.Integer({ description: 'Streams that a stop of the service ended.' }),
        failed: Type.Integer({ description: 'Streams whose position could not be continued.' }),
      },
      { description: 'Streams that the service ended, by reason.' },
    ),
    publishers: Type.Array(PublisherStatus, {
      description: 'Streams of a broker that the processes of this service publish to, by name.',
    }),
  },
  { title: 'FeedsStatus' },
);

const StreamTip = Type.Object(
  {
    position: StreamPosition,
    block_height: Type.Integer({ description: 'Height of the newest block; -1 before the first one.' }),
    index_block_hash: Type.String({ description: 'Index block hash of the newest block; empty before the first one.' }),
  },
  { title: 'StreamTip' },
);

const GonePosition = Type.Object(
  { ...ErrorBody.properties, from_height: Type.Integer({ description: 'A height to begin again at.' }) },
  { title: 'UnknownPosition' },
);

const StreamQuery = Type.Object({ ...viewQuery, after: AfterParam, from_height: FromHeightParam });
const PageQuery = Type.Object({
  ...StreamQuery.properties,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Maximum number of messages.' }),
  ),
});

/** A client that says nothing gets no response without an end. */
const acceptsEvents = (accept: string | undefined) => accept?.includes('text/event-stream') || accept?.includes('*/*');

export const v1Stream: FastifyPluginAsyncTypebox<{ streams: Streams }> = async (app, { streams }) => {
  app.get(
    '/extended/v1/stream',
    {
      config: { freshness: 'none', longLived: true },
      schema: {
        operationId: 'get_stream',
        summary: 'Stream the chain as Server-Sent Events',
        description:
          'Sends each change of the chain that matches, in order and without gap. Each event has an id; a client that connects again with it, in `Last-Event-ID` or `after`, receives exactly what follows. Without a position the stream begins now.',
        tags,
        headers: Type.Object({
          'last-event-id': Type.Optional(
            Type.String({
              maxLength: 200,
              description: 'The id of the last event that was received. Used in place of `after`.',
            }),
          ),
        }),
        querystring: StreamQuery,
        response: {
          200: { content: { 'text/event-stream': { schema: StreamMessage } } },
          400: ErrorBody,
          406: ErrorBody,
          409: GonePosition,
          410: ErrorBody,
        },
      },
    },
    async (request, reply) => {
      const { query, headers } = request;
      refuseUnknown(query, StreamQuery.properties);
      const view = viewOf(query);
      if (!acceptsEvents(headers.accept))
        throw new PublicError(
          406,
          'This is a stream of events: request it with Accept: text/event-stream, or read /extended/v1/stream/pages',
        );
      streams.admit(request.raw);
      const resumed = headers['last-event-id'];
      const start = await streams.start(resumed ? { after: resumed } : query);
      // A position that cannot be continued is refused with a status.
      await streams.page(start, view, 1);
      reply.hijack();
      streams.open(request.raw, reply.raw, start, view);
      return reply;
    },
  );

  app.get(
    '/extended/v1/stream/pages',
    {
      config: { freshness: 'none' },
      schema: {
        operationId: 'get_stream_page',
        summary: 'Read the stream in pages',
        description:
          'Returns what follows a position, for clients that cannot hold a connection. `at_tip` is true if nothing more has happened yet; continue with `position` then, too.',
        tags,
        querystring: PageQuery,
        response: {
          200: Type.Object(
            { position: StreamPosition, at_tip: Type.Boolean(), results: Type.Array(StreamMessage) },
            { title: 'StreamPage' },
          ),
          400: ErrorBody,
          409: GonePosition,
          410: ErrorBody,
        },
      },
    },
    async ({ query }) => {
      refuseUnknown(query, { ...PageQuery.properties, fields: true });
      const view = viewOf(query);
      const start = await streams.start(query);
      const { messages, position, atTip } = await streams.page(start, view, query.limit ?? 20);
      return { position: positionText(position), at_tip: atTip, results: messages.map(message => JSON.parse(message)) };
    },
  );

  app.get(
    '/extended/v1/stream/tip',
    {
      config: { freshness: 'none' },
      schema: {
        operationId: 'get_stream_tip',
        summary: 'Get the newest position',
        description: 'Returns the position from which a stream receives only what happens from now on.',
        tags,
        response: { 200: StreamTip },
      },
    },
    async () => {
      const position = await streams.feed.tip();
      const { height, indexHash } = position;
      return {
        position: positionText(position),
        block_height: height,
        index_block_hash: indexHash.length === 0 ? '' : toHex(indexHash),
      };
    },
  );

  app.get(
    '/extended/v1/status/feeds',
    {
      config: { freshness: 'none' },
      schema: {
        operationId: 'get_feeds_status',
        summary: 'Get the status of the streams',
        description:
          'Returns what the streams of the process that responds did since its start, and how far what is published to a broker is.',
        tags: ['Status'],
        response: { 200: FeedsStatus },
      },
    },
    async ({ sql }) => ({
      ...streams.report,
      publishers: (await listPublisherStandings(sql)).map(renderPublisher),
    }),
  );
};
