import { bareHex } from '@cairn-stacks/codec/hex';
import { arrayLiteral, type Sql } from '../../db/client.ts';
import { type BurnBranch, type BurnNode, isReplaced, isReplacedView } from './burn-branch.ts';

/**
 * Index hashes of blocks that cannot be canonical: their burn block, or the burn view of their tenure change, was announced and
 * later replaced, or they descend from such a block. So the last tenure change at or below a block decides about it. Hashes
 * decide, never heights; a burn block that was never announced rules nothing out. Only branches that a Bitcoin fork left behind
 * are in here.
 */
export type RuledOut = ReadonlySet<string>;

/** A block as far as this rule needs it. */
type Candidate = { indexHash: Uint8Array; parent: Uint8Array; burnHash: Uint8Array; burnView: Uint8Array };

/** A connected block of the tree that may change sides with a burn block. */
export type ConnectedBlock = Candidate & { indexHash: Buffer; ruledOut: boolean };

export const isRuledOut = (ruledOut: RuledOut, indexHash: Uint8Array): boolean =>
  ruledOut.size > 0 && ruledOut.has(bareHex(indexHash));

/** Whether a block is ruled out, given the blocks below it. */
export const isExcluded = (
  ruledOut: RuledOut,
  burnBranch: BurnBranch,
  { burnHash, burnView, parent }: Omit<Candidate, 'indexHash'>,
): boolean => isReplaced(burnBranch, burnHash) || isReplacedView(burnBranch, burnView) || isRuledOut(ruledOut, parent);

/** The hashes of those of new blocks that are ruled out, parents first, and all that are ruled out then. */
export function ruleOutNew(
  before: RuledOut,
  burnBranch: BurnBranch,
  blocks: readonly (Candidate & { indexHash: Buffer })[],
): { added: Buffer[]; ruledOut: RuledOut } {
  if (before.size === 0 && burnBranch.replaced.size === 0) return { added: [], ruledOut: before };
  const added: Buffer[] = [];
  const ruledOut = new Set(before);
  for (const block of blocks) {
    if (!isExcluded(ruledOut, burnBranch, block)) continue;
    added.push(block.indexHash);
    ruledOut.add(bareHex(block.indexHash));
  }
  return { added, ruledOut };
}

/** Decides once more about blocks of the tree, parents first, after burn blocks were replaced or came back. */
export function reclassify(
  before: RuledOut,
  burnBranch: BurnBranch,
  blocks: readonly ConnectedBlock[],
): { ruledOut: RuledOut; lost: Buffer[]; restored: Buffer[] } {
  const ruledOut = new Set(before);
  const lost: Buffer[] = [];
  const restored: Buffer[] = [];
  for (const block of blocks) {
    const out = isExcluded(ruledOut, burnBranch, block);
    if (out) ruledOut.add(bareHex(block.indexHash));
    else ruledOut.delete(bareHex(block.indexHash));
    if (out !== block.ruledOut) (out ? lost : restored).push(block.indexHash);
  }
  return { ruledOut, lost, restored };
}

export async function loadRuledOut(sql: Sql): Promise<RuledOut> {
  const rows = await sql<{ index_hash: Buffer }[]>`select t.index_hash from block_tree t where t.ruled_out`;
  return new Set(rows.map(row => bareHex(row.index_hash)));
}

type ConnectedRow = { index_hash: Buffer; parent: Buffer; burn_hash: Buffer; burn_view: Buffer; ruled_out: boolean };

const fromRow = (row: ConnectedRow): ConnectedBlock => ({
  indexHash: row.index_hash,
  parent: row.parent,
  burnHash: row.burn_hash,
  burnView: row.burn_view,
  ruledOut: row.ruled_out,
});

/** Every connected block from the lowest one on that names one of these burn blocks, parents first. */
export async function blocksFromBurn(
  sql: Sql,
  burns: readonly Pick<BurnNode, 'hash' | 'consensusHash'>[],
): Promise<ConnectedBlock[]> {
  const hashes = burns.map(({ hash }) => hash);
  const views = burns.map(({ consensusHash }) => consensusHash).filter(view => view.length > 0);
  const rows = await sql<ConnectedRow[]>`
    select t.index_hash, t.parent, t.burn_hash, t.burn_view, t.ruled_out
    from block_tree t
    where not t.parked and t.height >= least(
      (
        select min(f.height)
        from unnest(${arrayLiteral(hashes)}::bytea[]) as u (hash)
        join block_tree f on substring(f.burn_hash from 1 for 8) = substring(u.hash from 1 for 8) and f.burn_hash = u.hash
        where not f.parked
      ),
      (
        select min(f.height)
        from unnest(${arrayLiteral(views)}::bytea[]) as u (view)
        join block_tree f on f.burn_view = u.view and f.burn_view <> ''
        where not f.parked
      )
    )
    order by t.height
  `;
  return rows.map(fromRow);
}

/** The connected blocks whose burn view is a replaced burn block, and all that descend from them, parents first. */
export async function blocksOfReplacedViews(sql: Sql): Promise<ConnectedBlock[]> {
  const rows = await sql<ConnectedRow[]>`
    with recursive dead as (
      select t.index_hash, t.parent, t.burn_hash, t.burn_view, t.ruled_out, t.height
      from burn_tree b
      join block_tree t on t.burn_view = b.consensus_hash and t.burn_view <> ''
      where not b.canonical and not t.parked
      union
      select t.index_hash, t.parent, t.burn_hash, t.burn_view, t.ruled_out, t.height
      from dead d
      join block_tree t on t.parent = d.index_hash and t.height = d.height + 1
      where not t.parked
    )
    select d.index_hash, d.parent, d.burn_hash, d.burn_view, d.ruled_out from dead d order by d.height
  `;
  return rows.map(fromRow);
}
