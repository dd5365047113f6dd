import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { Progress } from './progress.ts';

type Position = { folded: bigint; logged: bigint; halted_at: bigint | null; halt_reason: string | null };

/** Shows the progress of the fold to the end of the log; rejects if it stops at an event. */
export async function untilFolded(sql: Sql, signal: AbortSignal): Promise<void> {
  let progress: Progress | undefined;
  try {
    for (;;) {
      const [row] = await sql<Position[]>`
        select p.event_id as folded, h.last_id as logged, p.halted_at, p.halt_reason
        from fold_position p, event_log_head h
      `;
      if (!row) throw new Error('fold_position has no row: the database was not migrated');
      const folded = Number(row.folded);
      progress?.update(folded, folded);
      if (row.folded >= row.logged) return;
      if (row.halted_at !== null) {
        throw new UsageError(`the fold stopped at event ${row.halted_at}: ${row.halt_reason}; see cairn skip --help`);
      }
      progress ??= new Progress({ label: 'folding', unit: 'events', total: Number(row.logged), start: folded });
      if (signal.aborted) {
        if (signal.reason instanceof Error && signal.reason.name !== 'AbortError') throw signal.reason;
        return;
      }
      await sleep(100);
    }
  } finally {
    progress?.finish();
  }
}
