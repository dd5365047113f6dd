import { findIdentity } from '../app/identity.ts';
import { auditScope } from '../audit/audit.ts';
import { explainDebt } from '../audit/balances.ts';
import type { Finding } from '../audit/finding.ts';
import type { Pool } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { reconcile } from '../rosetta/reconciliation.ts';
import { Progress } from './progress.ts';

/** Compares the operations of every block with the balances, as a client of the Rosetta API would. */
export async function verifyRosetta(sql: Pool): Promise<Finding[]> {
  const identity = await findIdentity(sql);
  if (!identity) throw new UsageError('the database holds no chain yet');
  let progress: Progress | undefined;
  try {
    const { disagreements } = await reconcile({
      sql,
      network: identity.network,
      onBlock({ height, tip }) {
        progress ??= new Progress({ label: 'reconciling', unit: 'blocks', total: tip });
        progress.update(height, height);
      },
    });
    const scope = await auditScope(sql);
    return await Promise.all(
      disagreements.map(async ({ check, height, subject, message }) => {
        const debt = check === 'negative balance' && scope !== undefined;
        const reason = debt ? await explainDebt(sql, height, scope.known) : undefined;
        const finding = { check: `Rosetta ${check}`, subject: `${subject} at block ${height}`, message };
        return reason === undefined ? finding : { ...finding, reason };
      }),
    );
  } finally {
    progress?.finish();
  }
}
