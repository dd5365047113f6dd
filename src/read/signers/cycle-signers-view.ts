import type { Reader } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { PublicError } from '../../errors.ts';
import { type CycleSigner, renderCycleSigners } from './cycle-signer-schema.ts';
import { listSignerSets } from './signer-set-queries.ts';
import { emptySet, signerSets } from './signer-set-schema.ts';
import { type ArrivalRange, countProposals, listSignerTotals } from './signer-totals-queries.ts';

/** The signers of a cycle with what they did in a range of proposals; none for an unknown cycle. */
async function readSigners(sql: Reader, cycle: number, range: ArrivalRange): Promise<CycleSigner[]> {
  return await inSnapshot(sql, async snapshot => {
    const [rows, totals, { known, blocks }] = await Promise.all([
      listSignerSets(snapshot, [cycle]),
      listSignerTotals(snapshot, cycle, range),
      countProposals(snapshot, cycle, range),
    ]);
    return renderCycleSigners(signerSets(rows).get(cycle) ?? emptySet, totals, known ? blocks : undefined);
  });
}

/** A page of the signers of a cycle, those with the most STX first. */
export async function listCycleSigners(
  sql: Reader,
  cycle: number,
  range: ArrivalRange,
  { limit, offset }: { limit: number; offset: number },
) {
  const signers = await readSigners(sql, cycle, range);
  return { total: signers.length, limit, offset, results: signers.slice(offset, offset + limit) };
}

export async function findCycleSigner(sql: Reader, cycle: number, key: string, range: ArrivalRange) {
  const signer = (await readSigners(sql, cycle, range)).find(({ signer_key }) => signer_key === key);
  const error = 'Signer not found';
  if (!signer) throw new PublicError(404, error, { error });
  return signer;
}
