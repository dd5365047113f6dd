import type { Pool } from '../../db/client.ts';

/** Proposals that one transaction removes, with their responses. */
const AT_ONCE = 500;

/**
 * Removes proposals, responses and pushes of cycles older than the newest `keep` ones; the totals stay. A cycle is marked
 * first, so that messages that come once more are not counted twice. Returns the number of proposals removed.
 */
export async function pruneSigners(sql: Pool, keep: number): Promise<number> {
  let removed = 0;
  for (;;) {
    const count = await removeSome(sql, keep);
    removed += count;
    if (count < AT_ONCE) break;
  }
  if (removed > 0) await removeUnused(sql);
  return removed;
}

async function removeSome(sql: Pool, keep: number): Promise<number> {
  return await sql.begin(async tx => {
    await tx`
      update signer_hours h set pruned = true
      where not h.pruned and h.cycle <= (select max(c.cycle) - ${keep}::int from pox_cycles c)
    `;
    const { count } = await tx`
      with old as (
        select p.hash
        from signer_proposals p
        where p.cycle <= (select max(c.cycle) - ${keep}::int from pox_cycles c)
        limit ${AT_ONCE}
      ), responses as (
        delete from signer_responses r using old o where r.hash = o.hash
      ), pushes as (
        delete from signer_pushes u using old o where u.hash = o.hash
      )
      delete from signer_proposals p using old o where p.hash = o.hash
    `;
    return count;
  });
}

/** Removes responses and pushes to proposals that never came or are gone, and texts that no row names any more. */
async function removeUnused(sql: Pool): Promise<void> {
  await sql.begin(async tx => {
    await tx`
      with oldest as (select min(p.received) as received from signer_proposals p),
      pushes as (
        delete from signer_pushes u
        using oldest o
        where u.received < o.received and not exists (select 1 from signer_proposals p where p.hash = u.hash)
      )
      delete from signer_responses r
      using oldest o
      where r.received < o.received and not exists (select 1 from signer_proposals p where p.hash = r.hash)
    `;
    await tx`
      delete from signer_texts t
      where not exists (select 1 from signer_responses r where r.version = t.id)
        and not exists (select 1 from signer_responses r where r.reason = t.id)
        and not exists (select 1 from signer_totals s where s.last_version = t.id)
    `;
  });
}
