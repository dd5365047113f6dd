import { poxCalls } from '../../chain/pox/print.ts';
import { constant, type Sql } from '../../db/client.ts';

/** A stacker whose STX count for a signer in a cycle. */
export type PoxStackerRow = { stacker: Buffer; amount: string; address: Buffer; pooled: boolean };

/** The longest that a call can lock for (SIP-007). */
const maxCycles = 12;

/** Calls by which a stacker joins cycles alone, by which a pool adds a member, and by which a pool commits the delegated STX. */
const ownCalls = [poxCalls['stack-stx'], poxCalls['stack-increase'], poxCalls['stack-extend']];
const poolCalls = [
  poxCalls['delegate-stack-stx'],
  poxCalls['delegate-stack-increase'],
  poxCalls['delegate-stack-extend'],
];
const commitCalls = [
  poxCalls['stack-aggregation-commit'],
  poxCalls['stack-aggregation-commit-indexed'],
  poxCalls['stack-aggregation-increase'],
];

/**
 * The stackers of a cycle and their signers: the last call of each stacker that affects the cycle, before the block that
 * fixed the set. A pool names its signer when it commits its delegated STX; the first commit after the call of a member
 * counts it.
 */
export const stackersOf = (sql: Sql, cycle: number, height: number) => sql`
  select distinct on (s.stacker) s.stacker, s.amount, s.address, s.pooled,
    case when s.pooled then c.signer_key else s.signer_key end as signer_key
  from (
    select distinct on (e.stacker) e.stacker, e.pool, e.amount, e.address, e.signer_key, e.call in (${constant(sql, ...poolCalls)}) as pooled,
      (e.height::int8 << 31) + (e.place::int8 << 16) + e.event_index as position
    from pox_events e
    where e.version = 4
      and e.call in (${constant(sql, ...ownCalls, ...poolCalls)})
      and e.end_cycle between ${cycle + 1} and ${cycle + maxCycles + 1}
      and e.first_cycle <= ${cycle}
      and e.height < ${height}
    order by e.stacker, e.height desc, e.place desc, e.event_index desc
  ) s
  left join (
    select e.stacker as pool, e.address, e.signer_key,
      min((e.height::int8 << 31) + (e.place::int8 << 16) + e.event_index) as first,
      max((e.height::int8 << 31) + (e.place::int8 << 16) + e.event_index) as last
    from pox_events e
    where e.version = 4
      and e.call in (${constant(sql, ...commitCalls)})
      and e.end_cycle = ${cycle + 1}
      and e.first_cycle = ${cycle}
      and e.height < ${height}
    group by e.stacker, e.address, e.signer_key
  ) c on s.pooled and c.pool = s.pool and c.address = s.address
  order by s.stacker, c.last > s.position desc, c.first
`;

/** All of them, those with the most STX first: a page of it needs the text of the addresses to be in order. */
export async function listPoxStackers(sql: Sql, cycle: number, height: number, signerKey: Uint8Array) {
  return await sql<PoxStackerRow[]>`
    select p.name as stacker, s.amount, s.address, s.pooled
    from (${stackersOf(sql, cycle, height)}) s
    join principals p on p.id = s.stacker
    where s.signer_key = ${signerKey}
    order by s.amount desc
  `;
}
