import type { Sql } from '../../db/client.ts';
import { type EventPageRequest, listEventPositions } from '../events/positions-queries.ts';
import { countedTotal } from './list-total.ts';

/** A rotation of the keys of the signers. */
export type KeyRotationRow = { signer: Buffer; threshold: number; aggregate_key: Buffer; keys: Buffer };

/** Rotations of keys, the newest first. */
export async function listKeyRotations(sql: Sql, registry: number, page: EventPageRequest) {
  const where = sql`k.registry = ${registry}::int2`;
  const total = countedTotal(sql, 'sbtc_key_rotations', where);
  return await listEventPositions<KeyRotationRow>(sql, { table: 'sbtc_key_rotations', where, total }, page, {
    columns: sql`a.name as signer, r.threshold, r.aggregate_key, r.keys`,
    joins: sql`
      join sbtc_key_rotations r on r.height = p.height and r.place = p.place and r.event_index = p.event_index
      join principals a on a.id = r.signer
    `,
    events: sql``,
  });
}
