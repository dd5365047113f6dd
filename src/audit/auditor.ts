import type { Pool } from '../db/client.ts';
import { Pause } from '../pause.ts';
import { auditScope, rangeChecks, runChecks } from './audit.ts';
import type { Finding } from './finding.ts';

export type AuditLog = { error(details: object, message: string): void; warn(details: object, message: string): void };

/** Blocks looked at in one go; a long chain is caught up in such steps, with room for other work between. */
const step = 200;
const idleMs = 5_000;
/** While blocks come fast they gather for so long: a look at many costs little more than a look at one. */
const gatherMs = 1_000;
/** The rest that a full step is followed by, as a share of the time it took. */
const rest = 1;

/** So many faults of one look are told; all of them are written down. */
const shown = 3;

/** While events wait for the fold it has the machine to itself, but not for longer than this. */
const patienceMs = 60_000;

type PositionRow = { height: number; tip: number; forked: boolean; bulk: boolean; behind: boolean };

/** Follows the tip and holds every new block against the rules of the books; what it finds is written down and shouted. */
export class Auditor {
  readonly #sql: Pool;
  readonly #log: AuditLog;
  readonly #onFinding: (finding: Finding) => void;
  #lookedAt = performance.now();
  readonly #pause = new Pause();
  #loop: Promise<void> | undefined;

  constructor(sql: Pool, log: AuditLog, onFinding: (finding: Finding) => void = () => {}) {
    this.#sql = sql;
    this.#log = log;
    this.#onFinding = onFinding;
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#pause.end();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#pause.over) {
      const started = performance.now();
      let blocks = 0;
      try {
        blocks = await this.#lookFurther();
      } catch (error) {
        this.#log.warn({ error: (error as Error).message }, 'the audit could not look; it tries again');
      }
      const tookMs = performance.now() - started;
      await this.#pause.for(blocks === 0 ? idleMs : blocks < step ? gatherMs : tookMs * rest);
    }
  }

  /** Looks at the next blocks and says how many. One snapshot, so that a fork in between cannot confuse it. */
  async #lookFurther(): Promise<number> {
    const look = await this.#sql.begin('isolation level repeatable read read only', async sql => {
      const [row] = await sql<PositionRow[]>`
        select a.height, p.height as tip, p.bulk, p.event_id < h.last_id as behind,
          a.height > 0 and not exists (
            select 1 from blocks b where b.height = a.height and b.index_hash = a.index_hash
          ) as forked
        from audit_position a, fold_position p, event_log_head h
      `;
      const scope = await auditScope(sql);
      if (!row || !scope || row.bulk) return undefined;
      if (row.behind && performance.now() - this.#lookedAt < patienceMs) return undefined;
      // A fork takes the audit back with it; how far is found by looking again at the last step.
      const from = Math.max(scope.first, (row.forked ? Math.min(row.height, row.tip) - step : row.height) + 1);
      const to = Math.min(scope.tip, from + step - 1);
      if (from > to) return undefined;
      const findings = await runChecks(rangeChecks, { sql, from, to, ...scope.known });
      return { from, to, findings };
    });
    if (!look) return 0;
    await this.#note(look);
    this.#lookedAt = performance.now();
    return look.to - look.from + 1;
  }

  async #note({ from, to, findings }: { from: number; to: number; findings: Finding[] }): Promise<void> {
    const rows = [...new Map(findings.map(finding => [`${finding.check} ${finding.subject}`, finding])).values()];
    await this.#sql.begin(async sql => {
      await sql`
        insert into audit_findings (height, check_name, subject, message, reason)
        select ${to}, f."check", f.subject, f.message, f.reason
        from json_to_recordset(${JSON.stringify(rows)}::text::json) as f ("check" text, subject text, message text, reason text)
        on conflict (check_name, subject) do update
        set at = now(), height = excluded.height, message = excluded.message, reason = excluded.reason
      `;
      await sql`
        update audit_position
        set height = ${to}, checked = checked + ${to - from + 1}, at = now(),
          index_hash = coalesce((select b.index_hash from blocks b where b.height = ${to}), '')
      `;
    });
    for (const finding of findings) this.#onFinding(finding);
    const faults = findings.filter(finding => finding.reason === undefined);
    if (faults.length === 0) return;
    this.#log.error(
      { from, to, faults: faults.length, first: faults.slice(0, shown) },
      'the audit found faults: run cairn verify',
    );
  }
}
