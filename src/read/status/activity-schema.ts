import { type Static, Type } from 'typebox';
import type { BatchRow, ReorgRow } from './activity-queries.ts';

const at = Type.String({ format: 'date-time', description: 'When it began.' });

/** What ingest did last. */
export const IngestActivity = Type.Object(
  {
    batches: Type.Array(
      Type.Object(
        {
          at,
          events: Type.Integer({ description: 'Events of the log that it processed.' }),
          blocks: Type.Integer({ description: 'Blocks that it added to the chain.' }),
          steps: Type.Integer({ description: 'Journal entries that it wrote.' }),
        },
        { title: 'IngestBatch' },
      ),
      { description: 'The last transactions that changed the tables, oldest first; at most 60.' },
    ),
    reorgs: Type.Array(
      Type.Object(
        {
          at,
          fork_height: Type.Integer({ description: 'Height of the last block that both branches share.' }),
          removed_blocks: Type.Integer({ description: 'Number of blocks that were removed from the chain.' }),
        },
        { title: 'Reorg' },
      ),
      { description: 'The last forks that removed blocks from the chain, newest first; at most 20.' },
    ),
  },
  { title: 'IngestActivity' },
);

export const renderActivity = (
  batches: readonly BatchRow[],
  reorgs: readonly ReorgRow[],
): Static<typeof IngestActivity> => ({
  batches: batches.map(({ at, ...counts }) => ({ at: at.toISOString(), ...counts })),
  reorgs: reorgs.map(({ at, height, from }) => ({
    at: at.toISOString(),
    fork_height: height,
    removed_blocks: from === null ? 0 : Math.max(0, from - height),
  })),
});
