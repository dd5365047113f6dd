import { arrayLiteral, type Sql } from '../../db/client.ts';

/** A signer of a cycle; its slot is its position in the set, which is ordered by key. */
export type SignerRow = { cycle: number; slot: number; key: Buffer; weight: number; stacked: string };

/** The signer sets of cycles, by cycle and slot; the newest set of a cycle counts. */
export async function listSignerSets(sql: Sql, cycles: readonly number[]): Promise<SignerRow[]> {
  return await sql<SignerRow[]>`
    select s.cycle, (row_number() over (partition by s.cycle order by s.key) - 1)::int as slot, s.key, s.weight, s.stacked
    from unnest(${arrayLiteral([...new Set(cycles)])}::int[]) as n (cycle)
    cross join lateral (
      select c.height from pox_cycles c where c.cycle = n.cycle order by c.height desc limit 1
    ) c
    join pox_cycle_signers s on s.cycle = n.cycle and s.height = c.height
    order by s.cycle, s.key
  `;
}
