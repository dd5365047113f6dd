import { type Static, Type } from 'typebox';
import { Page } from '../read/pages/page-schema.ts';
import type { ChainhookRow } from './chainhook-queries.ts';
import { Definition } from './definition-schema.ts';

const statuses = ['new', 'streaming', 'expired', 'interrupted'] as const;
export type Status = (typeof statuses)[number];
export const Status = Type.Enum([...statuses], {
  description:
    '`new`: it has not looked at a block yet. `streaming`: it has. `expired`: by its options. `interrupted`: its receiver failed for a day, or does not want it any more.',
});
const Nullable = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

const ChainhookStatus = Type.Object(
  {
    status: Status,
    enabled: Type.Boolean({ description: 'Whether it is sent to.' }),
    created_at: Type.Integer({ description: 'When it was registered, in Unix seconds.' }),
    last_evaluated_at: Nullable('When it looked at a block last, in Unix seconds.'),
    last_evaluated_block_height: Nullable('Height of that block.'),
    last_occurrence_at: Nullable('When the last request arrived, in Unix seconds.'),
    last_occurrence_block_height: Nullable('Height of the newest block in it.'),
    evaluated_block_count: Type.Integer({ description: 'Blocks that it looked at.' }),
    occurrence_count: Type.Integer({ description: 'Requests with blocks that arrived.' }),
  },
  { title: 'ChainhookStatus' },
);

export const Chainhook = Type.Object(
  {
    uuid: Type.String({ format: 'uuid', description: 'Id of the chainhook.' }),
    definition: Definition,
    status: ChainhookStatus,
  },
  { title: 'Chainhook' },
);
export type Chainhook = Static<typeof Chainhook>;
export const ChainhookPage = Page(Chainhook, 'ChainhookPage');

/** The status of a chainhook in one word. */
export function statusOf({ state, reason, evaluated }: Pick<ChainhookRow, 'state' | 'reason' | 'evaluated'>): Status {
  if (state === 'expired') return 'expired';
  if (state === 'disabled' || (state === 'paused' && reason !== null)) return 'interrupted';
  return evaluated > 0n ? 'streaming' : 'new';
}

const seconds = (date: Date | null) => (date === null ? null : Math.floor(date.getTime() / 1000));

/** The one place where a row becomes a chainhook of the API. */
export const renderChainhook = (row: ChainhookRow): Chainhook => ({
  uuid: row.uuid,
  definition: row.selection.definition,
  status: {
    status: statusOf(row),
    enabled: row.state === 'active',
    created_at: seconds(row.created_at)!,
    last_evaluated_at: seconds(row.evaluated_at),
    last_evaluated_block_height: row.evaluated > 0n ? row.height : null,
    last_occurrence_at: seconds(row.occurred_at),
    last_occurrence_block_height: row.occurred_height,
    evaluated_block_count: Number(row.evaluated),
    occurrence_count: Number(row.occurrences),
  },
});
