import type { Pool } from '../../src/db/client.ts';

export type Outcome = {
  answered: number;
  /** Answers that are not those of their question. */
  wrong: number;
  /** Codes of failed reads, and how often. */
  failed: Map<string, number>;
};

export type Reads = {
  outcome: Outcome;
  /** When the oldest read in progress began. */
  oldest(): number;
  stop(): Promise<Outcome>;
};

/** Rows that say of themselves which they are. */
export async function createThings(sql: Pool): Promise<void> {
  await sql`create table things (id int primary key, name text)`;
  await sql`insert into things select n, 'thing ' || n from generate_series(0, 99) n`;
}

/** Reads through a pool without a pause, some at once, half of it in a pipeline and half in transactions; each answer is checked. */
export function startReads(sql: Pool, atOnce = 20): Reads {
  const outcome: Outcome = { answered: 0, wrong: 0, failed: new Map() };
  let stopped = false;
  let asked = 0;
  const inProgress = new Set<number>();
  const read = async () => {
    const id = asked++ % 100;
    const began = performance.now();
    inProgress.add(began);
    try {
      const [row] =
        asked % 10 === 0
          ? await sql.begin(tx => tx<{ id: number; name: string }[]>`select * from things t where t.id = ${id}`)
          : await sql<{ id: number; name: string }[]>`select * from things where id = ${id}`;
      if (row?.id !== id || row.name !== `thing ${id}`) outcome.wrong++;
      outcome.answered++;
    } catch (error) {
      const code = String((error as { code?: unknown }).code ?? error);
      outcome.failed.set(code, (outcome.failed.get(code) ?? 0) + 1);
      // A server that is away refuses at once.
      await new Promise(resolve => setTimeout(resolve, 5));
    }
    inProgress.delete(began);
  };
  const workers = Array.from({ length: atOnce }, async () => {
    while (!stopped) await read();
  });
  return {
    outcome,
    oldest: () => Math.min(...inProgress),
    stop: async () => {
      stopped = true;
      await Promise.all(workers);
      return outcome;
    },
  };
}
