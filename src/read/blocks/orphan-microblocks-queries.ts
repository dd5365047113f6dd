import type { Sql } from '../../db/client.ts';
import { parseMessage } from '../../node/json.ts';
import { readMicroblocks } from '../../node/messages.ts';
import { decompressPayload } from './logged-blocks-queries.ts';
import type { MicroblockRow } from './microblocks-queries.ts';

type StreamRow = Omit<MicroblockRow, 'tx_ids' | 'microblock_canonical' | 'block_hash'> & { payload: Buffer };

/** A microblock that a stream announced and no canonical block confirmed. */
export async function findOrphanMicroblock(sql: Sql, hash: Uint8Array): Promise<MicroblockRow | undefined> {
  const [row] = await sql<StreamRow[]>`
    select
      t.height + 1 as height, s.sequence, s.hash, s.parent_hash, t.block_hash as parent_block_hash,
      s.burn_hash as parent_burn_hash, s.burn_height as parent_burn_height, s.burn_time as parent_burn_time,
      b.height is not null as canonical, l.payload
    from microblock_streams s
    join block_tree t on t.index_hash = s.anchor
    join event_log l on l.id = s.event_id
    left join blocks b on b.index_hash = s.anchor
    where s.hash = ${hash}
  `;
  if (!row) return undefined;
  const { payload, ...fields } = row;
  const { receipts } = readMicroblocks(parseMessage(await decompressPayload(payload)));
  const own = receipts.filter(({ microblock }) => microblock && row.hash.equals(microblock.hash));
  const txIds = Buffer.concat(own.map(receipt => receipt.txId));
  return { ...fields, block_hash: null, tx_ids: txIds, microblock_canonical: false };
}
