import { CodecError } from '@cairn-stacks/codec/error';
import { findBurnView } from '../../chain/block.ts';
import { arrayLiteral, type Pool, type Sql, type Tx } from '../../db/client.ts';
import { MessageError } from '../../node/json.ts';
import { readBlock, readBurnBlock } from '../../node/messages.ts';
import type { FoldLog } from '../fold/fold-log.ts';
import type { Position } from '../fold/position.ts';
import { eventById, parseEvent } from '../log/event-reader.ts';
import { loadBurnBranch } from './burn-tree.ts';
import { blocksOfReplacedViews, loadRuledOut, reclassify } from './ruled-out-blocks.ts';

/** Blocks whose events are read for one transaction. */
const partSize = 500;

type Unread = { hash: Buffer; event_id: bigint };

/**
 * Reads from the log what tables of an earlier release lack: the burn views of blocks that are not canonical, and the consensus
 * hashes of replaced burn blocks. Then it rules out the blocks of replaced views. What was pruned stays unknown, which rules
 * nothing out. The caller is the writer at this position.
 */
export async function readBurnViews(sql: Pool, position: Readonly<Position>, log: FoldLog): Promise<void> {
  for (;;) {
    const unread = await sql<Unread[]>`
      select t.index_hash as hash, t.event_id from block_tree t where t.burn_view is null order by t.event_id limit ${partSize}
    `;
    if (unread.length === 0) break;
    const views = await readEach(sql, unread, message => findBurnView(readBlock(message)));
    await sql.begin(async tx => {
      await fence(tx, position);
      await tx`
        update block_tree t
        set burn_view = u.view
        from unnest(${arrayLiteral(unread.map(({ hash }) => hash))}::bytea[], ${arrayLiteral(views)}::bytea[]) as u (hash, view)
        where t.index_hash = u.hash
      `;
    });
  }
  const replaced = await sql<Unread[]>`
    select t.hash, t.event_id from burn_tree t where not t.canonical and t.consensus_hash is null
  `;
  if (replaced.length === 0) return;
  const consensusHashes = await readEach(sql, replaced, message => readBurnBlock(message).consensusHash);
  await sql.begin(async tx => {
    await fence(tx, position);
    await tx`
      update burn_tree t
      set consensus_hash = u.consensus_hash
      from unnest(${arrayLiteral(replaced.map(({ hash }) => hash))}::bytea[], ${arrayLiteral(consensusHashes)}::bytea[])
        as u (hash, consensus_hash)
      where t.hash = u.hash
    `;
    const { lost } = reclassify(await loadRuledOut(tx), await loadBurnBranch(tx), await blocksOfReplacedViews(tx));
    if (lost.length === 0) return;
    await tx`update block_tree set ruled_out = true where index_hash = any (${arrayLiteral(lost)}::bytea[])`;
    log.info({ blocks: lost.length }, 'the burn views of blocks were read from the log: some blocks are ruled out');
  });
}

const fence = (tx: Tx, { writer, eventId }: Readonly<Position>) =>
  tx`select fence(${String(writer)}::bigint, ${String(eventId)}::bigint)`;

const unknown = Buffer.alloc(0);

/** A hash of the event of each row; empty where the log has lost the event or it cannot be read. */
async function readEach(sql: Sql, rows: readonly Unread[], read: (message: unknown) => Buffer): Promise<Buffer[]> {
  const hashes: Buffer[] = [];
  for (const { event_id } of rows) {
    const event = await eventById(sql, event_id, { asMessages: true });
    try {
      hashes.push(event ? read(parseEvent(event)) : unknown);
    } catch (error) {
      if (!(error instanceof MessageError || error instanceof CodecError)) throw error;
      hashes.push(unknown);
    }
  }
  return hashes;
}
