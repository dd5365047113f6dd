import type { Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';

/** A shape of what a contract printed, with its first print. */
export type PrintShapeRow = {
  topic: Buffer | null;
  /** Lines of a path and a type. */
  fields: string;
  total: number;
  last_height: number;
  height: number;
  event_index: number;
  tx_id: Buffer;
  /** The first print; null where it is larger than asked for. */
  value: Buffer | null;
};

/** How often a contract has printed, and in which shapes. */
export type PrintShapes = { total: number; shapes: PrintShapeRow[] };

/** The shapes of what a contract printed, in the order of the first of each; values up to so many bytes. */
export async function listPrintShapes(
  sql: Sql,
  contract: Uint8Array,
  asOf: AsOf,
  maxBytes: number,
): Promise<PrintShapes> {
  const rows = await sql<(PrintShapeRow & { prints: number | null })[]>`
    with who as (
      select p.id, m.height
      from principals p
      cross join (${asOfBlock(sql, asOf)}) m
      where p.name = ${contract}
    )
    select l.total as prints, s.topic, s.fields, t.total, t.height as last_height, s.height, s.event_index, x.tx_id,
      case when octet_length(e.value) <= ${maxBytes}::int then e.value end as value
    from who w
    left join lateral (
      select l.total
      from contract_log_totals l
      where l.contract = w.id and l.height <= w.height
      order by l.height desc
      limit 1
    ) l on true
    left join print_shapes s on s.contract = w.id and s.height <= w.height
    left join lateral (
      select t.total, t.height
      from print_shape_totals t
      where t.contract = w.id and t.shape = s.shape and t.height <= w.height
      order by t.height desc
      limit 1
    ) t on true
    left join events e on e.height = s.height and e.place = s.place and e.event_index = s.event_index
    left join transactions x on x.height = s.height and x.place = s.place
    order by s.height, s.number
  `;
  return { total: rows[0]?.prints ?? 0, shapes: rows.filter(row => row.fields !== null) };
}
