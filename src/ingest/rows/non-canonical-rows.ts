import { findBurnView } from '../../chain/block.ts';
import { journalKinds } from '../../chain/journal.ts';
import { unknownText } from '../../chain/unknown-field.ts';
import type { Table } from '../../db/table.ts';
import type { BlockReference } from '../../node/messages.ts';
import type { FoldLog } from '../fold/fold-log.ts';
import type { Step } from '../fold/plan.ts';
import type { Position } from '../fold/position.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import { blockTreeTable } from '../tree/block-tree.ts';
import { addBurnBlock } from '../tree/burn-blocks.ts';
import type { BurnNode } from '../tree/burn-branch.ts';
import { burnTreeTable } from '../tree/burn-tree.ts';
import { isFetched, unknownOf } from '../tree/fetched-block.ts';
import { addMicroblocks } from '../tree/microblock-stream.ts';
import { addNonCanonicalTransactions } from '../tree/orphan-transactions.ts';
import { addAttachments } from './attachments.ts';
import type { Batch } from './batch.ts';
import { addJournal } from './journal.ts';
import type { FirstTable } from './table-kinds.ts';

const quarantineTable: FirstTable = {
  name: 'event_quarantine',
  columns: { event_id: 'int8', reason: 'text' },
  key: ['event_id'],
};

const indexHashTable: Table = { name: 'index_hash_mismatches', columns: { event_id: 'int8', height: 'int4' } };

/** Adds the rows of an event that are not part of the canonical chain: tree, burn blocks, microblocks, zonefiles, quarantine. */
export function addNonCanonicalRows(step: Step, batch: Batch, position: Position, log: FoldLog): void {
  switch (step.kind) {
    case 'block':
      if (step.reference)
        addTreeRow(batch, step.event, step.reference, {
          parked: false,
          ruledOut: false,
          burnView: findBurnView(step.block),
        });
      return;
    case 'tree': {
      const { event, reference, nonCanonical } = step;
      addTreeRow(batch, event, reference, step);
      if (!nonCanonical) return;
      addNonCanonicalTransactions(batch, event, reference);
      addJournal(batch, position, journalKinds.nonCanonicalBlock, event.id, reference);
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
    case 'non_canonical_burn':
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

function addBurnNode(batch: Batch, node: BurnNode, canonical: boolean): void {
  const { hash, parent, eventId, height, source, consensusHash } = node;
  batch.add(burnTreeTable, [hash, parent, eventId, height, canonical, source, consensusHash]);
}

function addTreeRow(
  batch: Batch,
  event: LoggedEvent,
  reference: BlockReference,
  { parked, ruledOut, burnView }: { parked: boolean; ruledOut: boolean; burnView: Buffer },
): void {
  batch.add(blockTreeTable, [
    reference.indexHash,
    reference.parentIndexHash,
    event.id,
    reference.height,
    reference.hash,
    parked,
    reference.empty,
    isFetched({ event, reference }),
    reference.burnHeight,
    reference.burnHash,
    ruledOut,
    unknownText(unknownOf({ event, reference })),
    burnView,
  ]);
  if (!reference.indexHashFollows) batch.add(indexHashTable, [event.id, reference.height]);
}

function addQuarantine(batch: Batch, event: LoggedEvent, reason: string, log: FoldLog): void {
  log.error({ event: String(event.id), reason }, 'an event is invalid: it is quarantined; `cairn quarantine` lists it');
  // A rebuild reads quarantined events again.
  batch.first(quarantineTable, String(event.id), [event.id, reason]);
}
