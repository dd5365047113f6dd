import { eventCodes } from '../chain/event.ts';
import { constant, type Sql } from '../db/client.ts';
import { ftSums, noDebts, stxSums } from './balances.ts';
import { chainLinks } from './chain-links.ts';
import { completeness } from './completeness.ts';
import {
  assetSupplies,
  eventCounts,
  historyTotals,
  holders,
  logTotals,
  nftHolders,
  owners,
  transactionTotals,
} from './counters.ts';
import type { Check, Context, Finding } from './finding.ts';
import { stateHashes } from './state-hashes.ts';
import { conservation, supplySteps } from './supply.ts';

/** Checks that look at the blocks of a range alone: cheap enough for every new block. */
export const rangeChecks: readonly Check[] = [
  chainLinks,
  completeness,
  stateHashes,
  supplySteps,
  stxSums,
  ftSums,
  noDebts,
  transactionTotals,
  eventCounts,
  historyTotals,
  logTotals,
  assetSupplies,
];

/** Checks that look at everything there is. */
const fullChecks: readonly Check[] = [conservation, holders, nftHolders, owners];

const chunk = 2_000;

/** Checks every block and every current value; `onProgress` is called with the progress. */
export async function auditAll(
  sql: Sql,
  onProgress?: (progress: { height: number; to: number }) => void,
): Promise<Finding[]> {
  const scope = await auditScope(sql);
  if (!scope) return [];
  const findings: Finding[] = [];
  for (let from = scope.first; from <= scope.tip; from += chunk) {
    const to = Math.min(from + chunk - 1, scope.tip);
    findings.push(...(await runChecks(rangeChecks, { sql, from, to, ...scope.known })));
    onProgress?.({ height: to, to: scope.tip });
  }
  findings.push(...(await runChecks(fullChecks, { sql, from: scope.first, to: scope.tip, ...scope.known })));
  return findings;
}

/** Runs checks one after another. */
export async function runChecks(checks: readonly Check[], context: Context): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await check.run(context)));
  return findings;
}

export type Scope = { first: number; tip: number; known: Pick<Context, 'rootMidChain' | 'incompleteBlocks'> };

/** The heights the tables hold and what is known to be missing; undefined before the first block. */
export async function auditScope(sql: Sql): Promise<Scope | undefined> {
  const [row] = await sql<{ first: number | null; tip: number; mid_chain: boolean; incomplete: boolean }[]>`
    select (select min(b.height) from blocks b) as first, p.height as tip,
      p.root_mid_chain or coalesce((
        select not exists (select 1 from block_tree t where t.index_hash = b.parent_index_hash)
          and not exists (select 1 from events e where e.height = b.height and e.kind = ${constant(sql, eventCodes.stx_mint)})
        from blocks b
        order by b.height
        limit 1
      ), false) as mid_chain,
      exists (
        select 1 from block_tree t join blocks b on b.height = t.height and b.index_hash = t.index_hash where t.unknown <> ''
      ) as incomplete
    from fold_position p
  `;
  if (!row || row.first === null || row.tip < 1) return undefined;
  return {
    first: row.first,
    tip: row.tip,
    known: { rootMidChain: row.mid_chain, incompleteBlocks: row.incomplete },
  };
}
