import { type Check, maxFindings } from './finding.ts';

/** Heights without a gap, each block naming the one below as its parent. */
export const chainLinks: Check = {
  name: 'chain links',
  async run({ sql, from, to }) {
    const rows = await sql<{ height: number; expected: number | null; linked: boolean }[]>`
      select l.height, l.below + 1 as expected, l.linked
      from (
        select b.height, lag(b.height) over (order by b.height) as below,
          b.parent_index_hash = lag(b.index_hash) over (order by b.height) as linked
        from blocks b
        where b.height between ${from - 1} and ${to}
      ) l
      where l.below is not null and (l.height <> l.below + 1 or not l.linked)
      order by l.height
      limit ${maxFindings}
    `;
    return rows.map(({ height, expected, linked }) => ({
      check: 'chain links',
      subject: `block ${height}`,
      message: linked ? `block ${expected} is missing below it` : 'its parent is not the block below it',
    }));
  },
};
