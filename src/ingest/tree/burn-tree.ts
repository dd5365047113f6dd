import { bareHex } from '@cairn-stacks/codec/hex';
import { arrayLiteral, type Sql } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';
import type { Table } from '../../db/table.ts';
import {
  type BurnBranch,
  type BurnFacts,
  type BurnLookUp,
  type BurnNode,
  type BurnTip,
  type SourceTip,
  withReplaced,
} from './burn-branch.ts';

export const burnTreeTable: Table = {
  name: 'burn_tree',
  columns: {
    hash: 'bytea',
    parent: 'bytea',
    event_id: 'int8',
    height: 'int4',
    canonical: 'bool',
    source: 'text',
    consensus_hash: 'bytea',
  },
};

type BurnNodeRow = {
  hash: Buffer;
  parent: Buffer;
  event_id: bigint;
  height: number;
  source: string;
  consensus_hash: Buffer;
};

const fromRow = ({ hash, parent, event_id, height, source, consensus_hash }: BurnNodeRow): BurnNode => ({
  hash,
  parent,
  height,
  eventId: event_id,
  source,
  consensusHash: consensus_hash,
});

/** The Bitcoin branch as the last transaction left it. */
export async function loadBurnBranch(sql: Sql): Promise<BurnBranch> {
  const replaced = await sql<BurnNodeRow[]>`
    select t.hash, t.parent, t.event_id, t.height, t.source, t.consensus_hash from burn_tree t where not t.canonical
  `;
  const sources = await sql<SourceTip[]>`select s.source, s.height, s.hash from burn_sources s`;
  const [top] = await sql<BurnTip[]>`
    select t.height, t.hash from burn_tree t where t.canonical order by t.height desc limit 1
  `;
  return withReplaced(
    { sources: new Map(sources.map(({ source, height, hash }) => [source, { height, hash }])), top },
    new Map(replaced.map(row => [bareHex(row.hash), fromRow(row)])),
  );
}

/** Loads the canonical burn blocks that a decision needs. */
export async function lookUpBurnBlocks(sql: Sql, lookUp: BurnLookUp): Promise<BurnFacts> {
  if (lookUp.kind === 'burn_neighbours') {
    const { height } = lookUp;
    const rows = await sql<BurnNodeRow[]>`
      select t.hash, t.parent, t.event_id, t.height, t.source, t.consensus_hash
      from burn_tree t
      where t.canonical and t.height between ${height - 1} and ${height + 1}
    `;
    return { burnNeighbours: rows.map(fromRow) };
  }
  const { parent, height } = lookUp.lowest;
  const [shared] = await sql<{ height: number }[]>`
    select t.height from burn_tree t where t.canonical and t.hash = ${parent}
  `;
  // A parent that was never announced contradicts any block at its height.
  const forkHeight = shared?.height ?? height - (parent.length > 0 ? 2 : 1);
  const rows = await sql<BurnNodeRow[]>`
    select t.hash, t.parent, t.event_id, t.height, t.source, t.consensus_hash
    from burn_tree t
    where t.canonical and t.height > ${forkHeight}
  `;
  return { burnFork: { forkHeight, above: rows.map(fromRow) } };
}

/** Adds the statement that stores the newest announcements of sources. */
export function storeSourceTips(flush: Flush, tips: readonly SourceTip[]): void {
  if (tips.length === 0) return;
  flush.query(
    `insert into burn_sources (source, height, hash)
     select * from unnest($1::text[], $2::int[], $3::bytea[])
     on conflict (source) do update set height = excluded.height, hash = excluded.hash`,
    [
      arrayLiteral(tips.map(tip => tip.source)),
      arrayLiteral(tips.map(tip => tip.height)),
      arrayLiteral(tips.map(tip => tip.hash)),
    ],
  );
}

/** Adds the statement that stores which branch burn blocks belong to. */
export function setCanonicalBurnBlocks(flush: Flush, nodes: readonly BurnNode[], canonical: boolean): void {
  flush.query('update burn_tree set canonical = $1::bool where hash = any ($2::bytea[])', [
    String(canonical),
    arrayLiteral(nodes.map(({ hash }) => hash)),
  ]);
}
