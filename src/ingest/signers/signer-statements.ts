import { arrayLiteral } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';
import type { Row, Table } from '../../db/table.ts';
import { sqlType } from '../rows/history-table.ts';
import { proposalsTable, pushesTable, responsesTable, textsTable } from './signer-tables.ts';

/** The hour of a time in milliseconds. */
const hourOf = (column: string) => `(${column} / 3600000)::int`;

/** `unnest` of rows sent as arrays, one parameter for each column. */
const given = ({ columns, ...table }: Table) => {
  const names = Object.keys(columns);
  const arrays = names.map((name, i) => `$${i + 1}::${sqlType({ ...table, columns }, name)}[]`);
  return `select * from unnest(${arrays.join(', ')}) as g (${names.join(', ')})`;
};

const columnsOf = (table: Table) => Object.keys(table.columns).join(', ');

const valuesOf = (table: Table, rows: Iterable<Row>): string[] => {
  const list = [...rows];
  return Object.keys(table.columns).map((_, i) => arrayLiteral(list.map(row => row[i]!)));
};

/** The figures of responses `r` to proposals `p`, by cycle, slot and hour. */
const totals = (p: string, r: string) => `
  select sum(r.received - p.received), max(r.received),
    (array_agg(r.version order by r.received desc, r.version desc))[1],
    p.cycle, ${hourOf('p.received')}, count(*) filter (where r.accepted), count(*) filter (where not r.accepted),
    count(b.height), r.slot
  from ${p} p
  join ${r} r on r.hash = p.hash and r.parity = p.cycle % 2
  left join blocks b on b.height = p.height and b.hash = p.hash`;

/** Adds figures to the totals. */
const addTotals = (p: string, r: string) => `
  insert into signer_totals as t
    (response_ms, last_received, last_version, cycle, hour, accepted, rejected, answered, slot)
  ${totals(p, r)}
  group by p.cycle, r.slot, 5
  on conflict (cycle, slot, hour) do update set
    response_ms = t.response_ms + excluded.response_ms,
    last_received = greatest(t.last_received, excluded.last_received),
    last_version = case
      when (excluded.last_received, excluded.last_version) > (t.last_received, t.last_version) then excluded.last_version
      else t.last_version
    end,
    accepted = t.accepted + excluded.accepted,
    rejected = t.rejected + excluded.rejected,
    answered = t.answered + excluded.answered`;

const texts = `
  insert into signer_texts (id, text)
  ${given(textsTable)}
  on conflict (id) do nothing`;

/**
 * Stores proposals, and counts the responses and blocks that came before them. One that arrived earlier than the stored one
 * replaces it; its hours are then counted again. Proposals of cycles whose rows were removed by age are left out.
 */
const proposals = `
  with given as (${given(proposalsTable)}),
  before as (
    select p.hash, p.cycle, p.received from given g join signer_proposals p on p.hash = g.hash
  ), inserted as (
    insert into signer_proposals (${columnsOf(proposalsTable)})
    select ${columnsOf(proposalsTable)}
    from given g
    where not exists (select 1 from signer_hours h where h.cycle = g.cycle and h.pruned)
    on conflict (hash) do nothing
    returning hash, cycle, height, received
  ), earlier as (
    update signer_proposals p set received = g.received, cycle = g.cycle, burn_height = g.burn_height
    from given g
    where p.hash = g.hash and (g.received, g.cycle, g.burn_height) < (p.received, p.cycle, p.burn_height)
    returning p.hash, p.cycle, p.received
  ), hours as (
    insert into signer_hours as h (cycle, hour, proposals, blocks, stale, pruned)
    select x.cycle, ${hourOf('x.received')}, count(*) filter (where x.fresh), count(x.height), not bool_and(x.fresh), false
    from (
      select i.cycle, i.received, true as fresh, b.height
      from inserted i
      left join blocks b on b.height = i.height and b.hash = i.hash
      union all
      select o.cycle, o.received, false, null from before o join earlier e on e.hash = o.hash
      union all
      select e.cycle, e.received, false, null from earlier e
    ) x
    group by 1, 2
    on conflict (cycle, hour) do update set
      proposals = h.proposals + excluded.proposals,
      blocks = h.blocks + excluded.blocks,
      stale = h.stale or excluded.stale
  ), changes as (
    insert into signer_changes (seq, hash)
    select $8::bigint, x.hash
    from (select hash from inserted union select hash from earlier) x
    where $8::bigint > 0
    on conflict do nothing
  )
  ${addTotals('inserted', 'signer_responses')}`;

/** Stores responses, and counts those to known proposals; as above for one that arrived earlier than the stored one. */
const responses = `
  with given as (${given(responsesTable)}),
  inserted as (
    insert into signer_responses (${columnsOf(responsesTable)})
    select ${columnsOf(responsesTable)} from given
    on conflict (hash, parity, slot) do nothing
    returning hash, parity, slot, received, version, accepted
  ), earlier as (
    update signer_responses r set received = g.received, signature = g.signature, version = g.version,
      reason = g.reason, code = g.code, detail = g.detail, validation = g.validation, accepted = g.accepted
    from given g
    where r.hash = g.hash and r.parity = g.parity and r.slot = g.slot
      and (g.received, g.accepted, g.signature, g.code, g.detail, g.validation, g.version, g.reason)
        < (r.received, r.accepted, r.signature, r.code, r.detail, r.validation, r.version, r.reason)
    returning r.hash, r.parity
  ), hours as (
    update signer_hours h set stale = true
    from earlier e
    join signer_proposals p on p.hash = e.hash and e.parity = p.cycle % 2
    where h.cycle = p.cycle and h.hour = ${hourOf('p.received')}
  ), changes as (
    insert into signer_changes (seq, hash)
    select $12::bigint, x.hash
    from (select hash from inserted union select hash from earlier) x
    where $12::bigint > 0
    on conflict do nothing
  )
  ${addTotals('signer_proposals', 'inserted')}`;

const pushes = `
  with changed as (
    insert into signer_pushes as p (received, hash)
    ${given(pushesTable)}
    on conflict (hash) do update set received = excluded.received where excluded.received < p.received
    returning p.hash
  )
  insert into signer_changes (seq, hash)
  select $3::bigint, c.hash from changed c where $3::bigint > 0
  on conflict do nothing`;

/** Counts hours again in which a row was replaced. */
const recount = [
  `delete from signer_totals t using signer_hours h where h.stale and t.cycle = h.cycle and t.hour = h.hour`,
  addTotals(
    `(select p.hash, p.cycle, p.height, p.received
      from signer_hours h
      join signer_proposals p
        on p.cycle = h.cycle and p.received >= h.hour * 3600000::bigint and p.received < (h.hour + 1) * 3600000::bigint
      where h.stale)`,
    'signer_responses',
  ),
  `with counted as (
     select h.cycle, h.hour, count(p.hash) as proposals, count(b.height) as blocks
     from signer_hours h
     left join signer_proposals p
       on p.cycle = h.cycle and p.received >= h.hour * 3600000::bigint and p.received < (h.hour + 1) * 3600000::bigint
     left join blocks b on b.height = p.height and b.hash = p.hash
     where h.stale
     group by h.cycle, h.hour
   )
   update signer_hours h set proposals = c.proposals, blocks = c.blocks, stale = c.proposals = 0
   from counted c
   where h.cycle = c.cycle and h.hour = c.hour`,
  // Only hours without a proposal are still marked.
  `delete from signer_hours h where h.stale`,
];

/** Adds $3 for each canonical block from height $1 to $2 whose proposal is known, and for each response to it. */
const blocks = `
  with mined as (
    select p.hash, p.cycle, ${hourOf('p.received')} as hour
    from blocks b
    join signer_proposals p on p.hash = b.hash
    where b.height between $1::int and $2::int
  ), hours as (
    update signer_hours h set blocks = h.blocks + m.count * $3::int
    from (select m.cycle, m.hour, count(*)::int as count from mined m group by m.cycle, m.hour) m
    where h.cycle = m.cycle and h.hour = m.hour
  )
  update signer_totals t set answered = t.answered + m.count * $3::int
  from (
    select m.cycle, m.hour, r.slot, count(*)::int as count
    from mined m
    join signer_responses r on r.hash = m.hash and r.parity = m.cycle % 2
    group by m.cycle, m.hour, r.slot
  ) m
  where t.cycle = m.cycle and t.hour = m.hour and t.slot = m.slot`;

export type SignerRowSets = Record<'proposals' | 'responses' | 'pushes' | 'texts', readonly Row[]>;

/** Adds the statements that store rows; `seq` is the journal number by which they are announced, 0 for none. */
export function storeRows(flush: Flush, rows: SignerRowSets, seq: bigint): void {
  if (rows.texts.length > 0) flush.query(texts, valuesOf(textsTable, rows.texts));
  if (rows.proposals.length > 0) flush.query(proposals, [...valuesOf(proposalsTable, rows.proposals), seq]);
  if (rows.responses.length > 0) flush.query(responses, [...valuesOf(responsesTable, rows.responses), seq]);
  if (rows.pushes.length > 0) flush.query(pushes, [...valuesOf(pushesTable, rows.pushes), seq]);
  if (rows.proposals.length > 0 || rows.responses.length > 0) for (const text of recount) flush.query(text);
}

/** Adds the statement that counts canonical blocks, those of the table `blocks` from one height to another. */
export function countBlocks(flush: Flush, from: number, to: number, change: 'added' | 'removed'): void {
  flush.query(blocks, [from, to, change === 'added' ? 1 : -1]);
}
