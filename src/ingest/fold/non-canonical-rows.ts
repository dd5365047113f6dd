import { journalKinds } from '../../chain/journal.ts';
import { unknownText } from '../../chain/unknown-field.ts';
import type { Table } from '../../db/table.ts';
import type { BlockPlace } from '../../node/messages.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import type { Batch } from '../rows/batch.ts';
import type { FirstTable } from '../rows/projection.ts';
import { blockTreeTable } from '../tree/block-tree.ts';
import { addBurnBlock } from '../tree/burn-blocks.ts';
import { type BurnNode, burnTreeTable } from '../tree/burn-view.ts';
import { isFetched, unknownOf } from '../tree/fetched-block.ts';
import { addMicroblocks } from '../tree/microblock-stream.ts';
import { addSideTransactions } from '../tree/orphan-transactions.ts';
import { addAttachments } from './attachments.ts';
import { addJournal } from './journal.ts';
import type { Position } from './position.ts';
import type { FoldLog, Step } from './step.ts';

const quarantineTable: FirstTable = {
  name: 'event_quarantine',
  columns: { event_id: 'int8', reason: 'text' },
  key: ['event_id'],
};

const indexHashTable: Table = { name: 'index_hash_mismatches', columns: { event_id: 'int8', height: 'int4' } };

/** Adds what an event says beside the canonical chain: the tree of blocks, burn blocks, streams, zonefiles, what cannot be read. */
export function addSideRows(step: Step, batch: Batch, position: Position, log: FoldLog): void {
  switch (step.kind) {
    case 'block':
      if (step.place) addTreeRow(batch, step.event, step.place, { parked: false, ruledOut: false });
      return;
    case 'tree': {
      const { event, place, parked, side, ruledOut } = step;
      addTreeRow(batch, event, place, { parked, ruledOut });
      if (!side) return;
      addSideTransactions(batch, event, place);
      addJournal(batch, position, journalKinds.sideBlock, event.id, place);
      return;
    }
    case 'burn':
      addBurnBlock(batch, step.burn);
      if (!step.known) addBurnNode(batch, step.node, true);
      addJournal(batch, position, journalKinds.burnBlock, step.event.id, {
        height: position.height,
        indexHash: step.burn.hash,
      });
      return;
    case 'side_burn':
      addBurnNode(batch, step.node, false);
      return;
    case 'microblocks':
      addMicroblocks(batch, step.event.id, step.stream, step.live);
      return;
    case 'attachments':
      addAttachments(batch, step.attachments);
      if (step.attachments.length > 0) addJournal(batch, position, journalKinds.names, step.event.id, position);
      if (step.refused.length > 0) addQuarantine(batch, step.event, step.refused.join('; '), log);
      return;
    case 'quarantine':
      addQuarantine(batch, step.event, step.reason, log);
  }
}

function addBurnNode(batch: Batch, { hash, parent, eventId, height, source }: BurnNode, canonical: boolean): void {
  batch.add(burnTreeTable, [hash, parent, eventId, height, canonical, source]);
}

function addTreeRow(
  batch: Batch,
  event: LoggedEvent,
  place: BlockPlace,
  { parked, ruledOut }: { parked: boolean; ruledOut: boolean },
): void {
  batch.add(blockTreeTable, [
    place.indexHash,
    place.parentIndexHash,
    event.id,
    place.height,
    place.hash,
    parked,
    place.empty,
    isFetched({ event, place }),
    place.burnHeight,
    place.burnHash,
    ruledOut,
    unknownText(unknownOf({ event, place })),
  ]);
  if (!place.indexHashFollows) batch.add(indexHashTable, [event.id, place.height]);
}

function addQuarantine(batch: Batch, event: LoggedEvent, reason: string, log: FoldLog): void {
  log.error(
    { event: String(event.id), reason },
    'an event cannot be read or placed: it is quarantined; `cairn quarantine` lists it',
  );
  // A rebuild reads again what was set aside already.
  batch.first(quarantineTable, String(event.id), [event.id, reason]);
}
