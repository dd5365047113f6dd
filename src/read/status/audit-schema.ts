import { type Static, Type } from 'typebox';
import type { AuditRow } from './audit-queries.ts';

export const Audit = Type.Object(
  {
    checked_height: Type.Integer({
      description: 'Height up to which blocks were checked against the accounting rules.',
    }),
    tip_height: Type.Integer({ description: 'Height of the tip.' }),
    blocks_checked: Type.String({ description: 'Number of blocks that were checked, including those of forks.' }),
    checked_at: Type.String({ format: 'date-time', description: 'Time of the last check.' }),
    faults: Type.Integer({ description: 'Number of unexplained findings. Above 0, the tables are wrong.' }),
    explained: Type.Integer({ description: 'Number of findings with a known reason.' }),
    findings: Type.Array(
      Type.Object({
        check: Type.String({ description: 'Name of the check.' }),
        subject: Type.String({ description: 'What the check looked at.' }),
        message: Type.String({ description: 'What the check found.' }),
        reason: Type.Union([Type.String(), Type.Null()], {
          description: 'Known reason of the finding; null if it is unexplained.',
        }),
        tip_height: Type.Integer({ description: 'Height of the tip.' }),
        found_at: Type.String({ format: 'date-time', description: 'Time of the finding.' }),
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
