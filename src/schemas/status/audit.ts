import { type Static, Type } from 'typebox';
import type { AuditRow } from '../../queries/status/audit.ts';

export const Audit = Type.Object(
  {
    checked_height: Type.Integer({ description: 'Blocks up to this height were held against the rules of the books.' }),
    tip_height: Type.Integer(),
    blocks_checked: Type.String({ description: 'Blocks looked at in all, those of forks included.' }),
    checked_at: Type.String({ format: 'date-time' }),
    faults: Type.Integer({ description: 'Findings without a reason: the tables are wrong.' }),
    explained: Type.Integer({ description: 'Findings whose reason is known.' }),
    findings: Type.Array(
      Type.Object({
        check: Type.String(),
        subject: Type.String(),
        message: Type.String(),
        reason: Type.Union([Type.String(), Type.Null()]),
        tip_height: Type.Integer(),
        found_at: Type.String({ format: 'date-time' }),
      }),
    ),
  },
  { title: 'Audit' },
);
export type Audit = Static<typeof Audit>;

/** The one place where the state of the audit becomes a response. */
export const renderAudit = (row: AuditRow): Audit => ({
  checked_height: row.height,
  tip_height: Math.max(row.tip, 0),
  blocks_checked: String(row.checked),
  checked_at: row.at.toISOString(),
  faults: row.faults,
  explained: row.explained,
  findings: row.findings.map(f => ({
    check: f.check_name,
    subject: f.subject,
    message: f.message,
    reason: f.reason,
    tip_height: f.height,
    found_at: new Date(f.at).toISOString(),
  })),
});
