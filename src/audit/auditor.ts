import type { Pool, Sql } from '../db/client.ts';
import { Pause } from '../pause.ts';
import { auditScope, rangeChecks, runChecks } from './audit.ts';
import { forgetCompleted } from './completeness.ts';
import type { Finding } from './finding.ts';

export type AuditLog = { error(details: object, message: string): void; warn(details: object, message: string): void };

/** Blocks checked at once; a long chain is checked in such steps, with pauses for other work. */
const step = 200;
const idleMs = 5_000;
/** While blocks arrive fast they are checked together after this time: checking many costs little more than one. */
const batchMs = 1_000;
/** The rest that a full step is followed by, as a share of the time it took. */
const rest = 1;

/** Most faults of one check that are logged; all of them are stored. */
const shown = 3;

/** While events wait for the fold it has the machine to itself, but not for longer than this. */
const patienceMs = 60_000;

type PositionRow = { height: number; forked: boolean; bulk: boolean; behind: boolean };

/** The checked blocks, the hash of the last one, and the findings. */
type Look = { from: number; to: number; indexHash: Buffer; findings: Finding[] };

/** Follows the tip and checks every new block against the accounting rules; findings are stored and logged. */
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
        this.#log.warn({ error: (error as Error).message }, 'the audit could not read the tables; it tries again');
      }
      const tookMs = performance.now() - started;
      await this.#pause.for(blocks === 0 ? idleMs : blocks < step ? batchMs : tookMs * rest);
    }
  }

  /** Checks the next blocks and returns how many. One snapshot, so that a fork cannot happen in between. */
  async #lookFurther(): Promise<number> {
    await this.#sql.begin(forgetCompleted);
    const look = await this.#sql.begin('isolation level repeatable read read only', async sql => {
      const [row] = await sql<PositionRow[]>`
        select a.height, p.bulk, p.event_id < h.last_id as behind,
          a.height > 0 and not exists (
            select 1 from blocks b where b.height = a.height and b.index_hash = a.index_hash
          ) as forked
        from audit_position a, fold_position p, event_log_head h
      `;
      const scope = await auditScope(sql);
      if (!row || !scope || row.bulk) return undefined;
      if (row.behind && performance.now() - this.#lookedAt < patienceMs) return undefined;
      // A fork takes the audit back with it.
      const from = Math.max(scope.first, (row.forked ? await findFork(sql) : row.height) + 1);
      const to = Math.min(scope.tip, from + step - 1);
      if (from > to) return undefined;
      const findings = await runChecks(rangeChecks, { sql, from, to, ...scope.known });
      return { from, to, findings, indexHash: await indexHashAt(sql, to) };
    });
    if (!look) return 0;
    await this.#note(look);
    this.#lookedAt = performance.now();
    return look.to - look.from + 1;
  }

  async #note({ from, to, findings, indexHash }: Look): Promise<void> {
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
        set height = ${to}, checked = checked + ${to - from + 1}, at = now(), index_hash = ${indexHash}
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

/** The height of the last block that both the chain and the branch looked at so far have; 0 where that branch is not known. */
async function findFork(sql: Sql): Promise<number> {
  const [row] = await sql<{ height: number }[]>`
    with recursive left_behind as (
      select t.height, t.parent
      from audit_position a
      join block_tree t on t.index_hash = a.index_hash
      union all
      select t.height, t.parent
      from left_behind l
      join block_tree t on t.index_hash = l.parent and t.height = l.height - 1
      where not exists (select 1 from blocks b where b.height = l.height - 1 and b.index_hash = l.parent)
    )
    select coalesce(min(l.height) - 1, 0) as height from left_behind l
  `;
  return row!.height;
}

async function indexHashAt(sql: Sql, height: number): Promise<Buffer> {
  const [row] = await sql<{ index_hash: Buffer }[]>`select b.index_hash from blocks b where b.height = ${height}`;
  return row?.index_hash ?? Buffer.alloc(0);
}
