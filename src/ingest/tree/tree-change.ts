import { arrayLiteral } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';

/** A change to blocks that the tree has already. */
export type TreeChange =
  /** Blocks that waited for their parent are connected now; some of them are ruled out. */
  | { kind: 'connect'; blocks: readonly Buffer[]; ruledOut: readonly Buffer[] }
  /** Burn blocks were replaced or came back, and with them the blocks that name them. */
  | { kind: 'rule_out'; blocks: readonly Buffer[]; ruledOut: boolean }
  /** A full block 0 takes the place of an empty one. */
  | { kind: 'fill_genesis'; indexHash: Buffer; eventId: bigint }
  /** The event of a block that was fetched from a node has arrived. */
  | { kind: 'replace_fetched'; indexHash: Buffer; eventId: bigint };

/** Adds the statement that makes a change. */
export function writeTreeChange(flush: Flush, change: TreeChange): void {
  const { text, values } = statementOf(change);
  flush.query(text, values);
}

function statementOf(change: TreeChange): { text: string; values: (string | bigint)[] } {
  switch (change.kind) {
    case 'connect':
      return {
        text: `update block_tree set parked = false, ruled_out = index_hash = any ($2::bytea[])
               where index_hash = any ($1::bytea[])`,
        values: [arrayLiteral(change.blocks), arrayLiteral(change.ruledOut)],
      };
    case 'rule_out':
      return {
        text: 'update block_tree set ruled_out = $1::bool where index_hash = any ($2::bytea[])',
        values: [String(change.ruledOut), arrayLiteral(change.blocks)],
      };
    case 'fill_genesis':
      return {
        text: `update block_tree set event_id = $1::bigint, empty = false where index_hash = decode($2, 'hex')`,
        values: [change.eventId, change.indexHash.toString('hex')],
      };
    case 'replace_fetched':
      return {
        text: `update block_tree set event_id = $1::bigint, fetched = false, unknown = ''
               where index_hash = decode($2, 'hex')`,
        values: [change.eventId, change.indexHash.toString('hex')],
      };
  }
}
