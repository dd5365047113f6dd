import type { Sql } from '../../db/client.ts';

export type AuditRow = {
  height: number;
  tip: number;
  checked: bigint;
  at: Date;
  findings: {
    check_name: string;
    subject: string;
    message: string;
    reason: string | null;
    height: number;
    at: string;
  }[];
  faults: number;
  explained: number;
};

const maxShown = 100;

/** How far the continuous audit has looked, and what it found, newest first. */
export async function findAudit(sql: Sql): Promise<AuditRow> {
  const [row] = await sql<AuditRow[]>`
    select a.height, p.height as tip, a.checked, a.at,
      (select count(*)::int from audit_findings f where f.reason is null) as faults,
      (select count(*)::int from audit_findings f where f.reason is not null) as explained,
      coalesce((
        select json_agg(l)
        from (
          select f.check_name, f.subject, f.message, f.reason, f.height, f.at
          from audit_findings f
          order by f.id desc
          limit ${maxShown}
        ) l
      ), '[]') as findings
    from audit_position a, fold_position p
  `;
  return row!;
}
