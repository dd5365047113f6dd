import { journalKinds } from '../../src/chain/journal.ts';
import type { Pool } from '../../src/db/client.ts';

type JournalRow = { seq: bigint; height: number; kind: number; index_hash: Buffer };

/** Replays the journal from its first row: the chain of block ids it leaves, lowest first. Throws where it makes no sense. */
export async function replayJournal(sql: Pool): Promise<string[]> {
  const rows = await sql<JournalRow[]>`select seq, height, kind, index_hash from journal order by seq`;
  const chain: { height: number; hash: string }[] = [];
  rows.forEach((row, i) => {
    const hash = `0x${row.index_hash.toString('hex')}`;
    if (row.seq !== BigInt(i + 1)) throw new Error(`journal row ${i + 1} has number ${row.seq}`);
    if (row.kind === journalKinds.apply) {
      const tip = chain.at(-1);
      if (tip && row.height !== tip.height + 1) throw new Error(`height ${row.height} was applied on ${tip.height}`);
      chain.push({ height: row.height, hash });
    }
    if (row.kind === journalKinds.rollback) {
      const before = chain.length;
      while (chain.length > 0 && chain.at(-1)!.height > row.height) chain.pop();
      if (chain.length === before) throw new Error(`journal row ${row.seq} takes nothing back`);
      if (chain.length > 0 && chain.at(-1)!.hash !== hash) throw new Error(`journal row ${row.seq} names another tip`);
    }
  });
  return chain.map(block => block.hash);
}
