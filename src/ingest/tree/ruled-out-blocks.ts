import { bareHex } from '../../codec/hex.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';
import { type BurnView, isReplaced } from './burn-view.ts';

/**
 * Index hashes of blocks that cannot be canonical: their burn block was announced and later replaced, or they descend from such a
 * block. Hashes decide, never heights; a burn block that was never announced rules nothing out. Only branches that a Bitcoin fork
 * left behind are in here.
 */
export type RuledOut = ReadonlySet<string>;

/** A block as far as this rule needs it. */
type Candidate = { indexHash: Uint8Array; parent: Uint8Array; burnHash: Uint8Array };

/** A connected block of the tree that may change sides with its burn block. */
export type JudgedBlock = { indexHash: Buffer; parent: Buffer; burnHash: Buffer; ruledOut: boolean };

export const isRuledOut = (ruledOut: RuledOut, indexHash: Uint8Array): boolean =>
  ruledOut.size > 0 && ruledOut.has(bareHex(indexHash));

/** Whether a block is ruled out, given the blocks below it. */
export const rulesOut = (
  ruledOut: RuledOut,
  burnView: BurnView,
  { burnHash, parent }: Omit<Candidate, 'indexHash'>,
): boolean => isReplaced(burnView, burnHash) || isRuledOut(ruledOut, parent);

/** The hashes of those of new blocks that are ruled out, parents first, and all that are ruled out then. */
export function ruleOutNew(
  before: RuledOut,
  burnView: BurnView,
  blocks: readonly (Candidate & { indexHash: Buffer })[],
): { added: Buffer[]; ruledOut: RuledOut } {
  if (before.size === 0 && burnView.replaced.size === 0) return { added: [], ruledOut: before };
  const added: Buffer[] = [];
  const ruledOut = new Set(before);
  for (const block of blocks) {
    if (!rulesOut(ruledOut, burnView, block)) continue;
    added.push(block.indexHash);
    ruledOut.add(bareHex(block.indexHash));
  }
  return { added, ruledOut };
}

/** Judges blocks of the tree again, parents first, after burn blocks were replaced or came back. */
export function judgeAgain(
  before: RuledOut,
  burnView: BurnView,
  blocks: readonly JudgedBlock[],
): { ruledOut: RuledOut; lost: Buffer[]; restored: Buffer[] } {
  const ruledOut = new Set(before);
  const lost: Buffer[] = [];
  const restored: Buffer[] = [];
  for (const block of blocks) {
    const out = rulesOut(ruledOut, burnView, block);
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

type JudgedRow = { index_hash: Buffer; parent: Buffer; burn_hash: Buffer; ruled_out: boolean };

/** Every connected block from the lowest one of these burn blocks on, parents first. */
export async function blocksFromBurn(sql: Sql, burnHashes: readonly Buffer[]): Promise<JudgedBlock[]> {
  const rows = await sql<JudgedRow[]>`
    select t.index_hash, t.parent, t.burn_hash, t.ruled_out
    from block_tree t
    where not t.parked and t.height >= (
      select min(f.height)
      from unnest(${arrayLiteral(burnHashes)}::bytea[]) as u (hash)
      join block_tree f on substring(f.burn_hash from 1 for 8) = substring(u.hash from 1 for 8) and f.burn_hash = u.hash
      where not f.parked
    )
    order by t.height
  `;
  return rows.map(row => ({
    indexHash: row.index_hash,
    parent: row.parent,
    burnHash: row.burn_hash,
    ruledOut: row.ruled_out,
  }));
}
