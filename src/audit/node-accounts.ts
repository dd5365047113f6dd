import { principalFromBytes } from '../codec/principal.ts';
import type { Sql } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import type { Finding } from './finding.ts';

const timeoutMs = 10_000;

type AccountRow = { name: Buffer; balance: string };

/** Compares the largest and some other accounts with what a node says; only where both stand at the same block. */
export async function compareWithNode(sql: Sql, url: string, sample: number): Promise<Finding[]> {
  const [tip] = await sql<{ height: number }[]>`select p.height from fold_position p`;
  const info = (await ask(`${url}/v2/info`)) as { stacks_tip_height?: number };
  if (info.stacks_tip_height !== tip!.height) {
    throw new UsageError(
      `the node stands at block ${info.stacks_tip_height}, this index at ${tip!.height}: compare when both stand still`,
    );
  }
  const rows = await sql<AccountRow[]>`
    (select p.name, h.balance from holders h join principals p on p.id = h.principal
     where h.asset = 0 order by h.balance desc limit ${Math.ceil(sample / 2)})
    union
    (select p.name, h.balance from holders h join principals p on p.id = h.principal
     where h.asset = 0 order by h.balance limit ${Math.ceil(sample / 2)})
  `;
  const findings: Finding[] = [];
  for (const { name, balance } of rows) {
    const principal = principalFromBytes(name);
    const account = (await ask(`${url}/v2/accounts/${principal}?proof=0`)) as { balance: string; locked: string };
    // The node tells what can be spent and what is locked apart.
    const total = BigInt(account.balance) + BigInt(account.locked);
    if (total === BigInt(balance)) continue;
    findings.push({ check: 'node accounts', subject: principal, message: `${balance} here, ${total} at the node` });
  }
  return findings;
}

async function ask(url: string): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new UsageError(`${url} answered ${response.status}`);
  return response.json();
}
