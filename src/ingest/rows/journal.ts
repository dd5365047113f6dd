import type { Table } from '../../db/table.ts';
import type { Position } from '../fold/position.ts';
import type { Batch } from './batch.ts';

const journalTable: Table = {
  name: 'journal',
  columns: {
    seq: 'int8',
    event_id: 'int8',
    height: 'int4',
    kind: 'int2',
    index_hash: 'bytea',
    block_events: 'int8',
  },
};

/** Adds the next step of the fold; for burn blocks the hash is that of the burn block. */
export function addJournal(
  batch: Batch,
  position: Position,
  kind: number,
  eventId: bigint,
  { height, indexHash }: { height: number; indexHash: Uint8Array },
): void {
  position.journalSeq++;
  batch.add(journalTable, [position.journalSeq, eventId, height, kind, indexHash, position.blockEvents]);
}
