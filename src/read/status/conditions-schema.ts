import { type Static, Type } from 'typebox';

const time = (description: string) => Type.String({ format: 'date-time', description });

/** A block that the tables should contain and do not. */
const AbsentBlock = (title: string, description: string) =>
  Type.Union(
    [
      Type.Object(
        {
          block_height: Type.Integer(),
          index_block_hash: Type.String(),
          since: time('When this was first seen.'),
          reason: Type.String({ description: 'Why it is so, or what is done about it.' }),
        },
        { title },
      ),
      Type.Null(),
    ],
    { description },
  );

export const NodesCompared = Type.Object(
  {
    compared_at: Type.Union([time('When the tips were last compared.'), Type.Null()], {
      description: 'When the tip of a node was last compared with the served chain; null if no node has responded.',
    }),
    best_height: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The greatest height of a healthy node; null if no node has responded.',
    }),
    blocks_behind: Type.Integer({ description: 'Blocks that the served chain is behind that height.' }),
    on_their_branch: Type.Union([Type.Boolean(), Type.Null()], {
      description:
        'Whether a healthy node has the served tip or a later block on top of it; null if that cannot be told.',
    }),
    missing: AbsentBlock('MissingTip', 'The tip of a node that was never received; null if there is none.'),
  },
  { title: 'NodesCompared' },
);
export type NodesCompared = Static<typeof NodesCompared>;

/** What a process knows about ingest that is not in the tables. */
export const IngestConditions = Type.Object({
  suspended: Type.Union([Type.String(), Type.Null()], {
    description: 'Why no events are accepted, such as a disk that is nearly full; null while they are.',
  }),
  stalled: AbsentBlock(
    'StalledMove',
    'The best known block, if the tables have not moved to it for more than five seconds; else null.',
  ),
  failing: Type.Union(
    [
      Type.Object(
        {
          event_id: Type.Integer({ description: 'Id of the event.' }),
          since: time('When this was first seen.'),
          reason: Type.String({ description: 'Why it fails.' }),
        },
        { title: 'FailingEvent' },
      ),
      Type.Null(),
    ],
    {
      description:
        'The event of the log that cannot be processed for more than five seconds and is tried again; null if there is none.',
    },
  ),
  nodes: Type.Union([NodesCompared, Type.Null()], {
    description: 'The served chain compared with the configured nodes; null without nodes.',
  }),
});
export type IngestConditions = Static<typeof IngestConditions>;

/** The conditions of a process that watches neither nodes nor a disk. */
export const noConditions: IngestConditions = { suspended: null, stalled: null, failing: null, nodes: null };

/** What an operator must know although the service is ready. */
export function listWarnings({ suspended, nodes }: IngestConditions): string[] {
  const warnings: string[] = [];
  if (suspended !== null) warnings.push(suspended);
  if (nodes?.missing) warnings.push(describeMissing(nodes.missing));
  return warnings;
}

/** The sentence about a tip that nodes have and that was never received. */
export const describeMissing = (missing: NonNullable<NodesCompared['missing']>): string =>
  `block ${missing.block_height} (${missing.index_block_hash}) of a node was not received since ${missing.since}: ${missing.reason}`;
