import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import { type BlockProposal, renderProposals } from './block-proposal-schema.ts';
import * as queries from './proposals-queries.ts';
import { listSignerSets } from './signer-set-queries.ts';

async function render(sql: Sql, rows: readonly queries.ProposalRow[]): Promise<BlockProposal[]> {
  const [signers, responses] = await Promise.all([
    listSignerSets(
      sql,
      rows.map(({ cycle }) => cycle),
    ),
    queries.listResponses(sql, rows),
  ]);
  return renderProposals(rows, signers, responses);
}

/** A page of proposals, the newest arrival first. */
export async function listProposals(sql: Reader, { limit, offset }: { limit: number; offset: number }) {
  const results = await inSnapshot(sql, async snapshot =>
    render(snapshot, await queries.listProposals(snapshot, limit, offset)),
  );
  return { limit, offset, results };
}

export async function findProposal(sql: Reader, hash: Uint8Array): Promise<BlockProposal> {
  const [proposal] = await inSnapshot(sql, async snapshot =>
    render(snapshot, await queries.findProposals(snapshot, [hash])),
  );
  if (!proposal) throw notFound('Block proposal not found');
  return proposal;
}
