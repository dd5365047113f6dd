import { type Static, Type } from 'typebox';
import type { PublisherStanding } from './publishers-queries.ts';

const troubles = {
  unreachable: 'no connection, or no response',
  not_allowed: 'user, token or permission',
  full: 'no room in the stream',
  too_large: 'a message is larger than the broker takes',
  other_writer: 'somebody else writes to the stream',
  other_chain: 'the stream ends at a block that is unknown here',
  behind: 'the database has not reached the end of the stream',
  refused: 'another refusal by the broker',
  database: 'the database cannot be used',
};

export const PublisherStatus = Type.Object(
  {
    stream: Type.String({ description: 'Name of the stream.' }),
    state: Type.Enum(['publishing', 'failing', 'stopped'], {
      description: '`failing`: nothing is published at the moment; it is tried again. `stopped`: no process publishes.',
    }),
    trouble: Type.Union([Type.Enum(Object.keys(troubles)), Type.Null()], {
      description: `Why it fails: ${Object.entries(troubles)
        .map(([kind, meaning]) => `\`${kind}\`: ${meaning}`)
        .join('; ')}. Null if nothing is known to be wrong.`,
    }),
    block_height: Type.Integer({ description: 'Height of the last block that was published; -1 before the first.' }),
    backlog_blocks: Type.Integer({ description: 'Blocks above it.' }),
    messages: Type.Integer({ description: 'Messages that were published.' }),
    published_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the last message was published; null before the first.',
    }),
  },
  { title: 'PublisherStatus', description: 'A stream of the broker that the journal is published to.' },
);

export const renderPublisher = (row: PublisherStanding): Static<typeof PublisherStatus> => ({
  stream: row.stream,
  state: row.state,
  trouble: row.trouble,
  block_height: row.height,
  backlog_blocks: row.backlog,
  messages: row.messages,
  published_at: row.published_at?.toISOString() ?? null,
});
