import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { expect, test } from 'vitest';
import { ServiceProcess } from '../../bench/support/faults/service-process.ts';
import { addedAccount, addedAmount, growGenesis } from '../../bench/support/large-genesis.ts';
import { program } from '../faults/expectations.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { append, folded } from '../support/service.ts';

const accounts = 100_000;

test('a genesis with 100,000 accounts is folded by a process that shares its processor', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 8 });
  const blocks = mineLine(chain, chain.genesis, 3, { transactions: 2 });
  const last = await append(db, [growGenesis(chain.genesis, accounts), ...blocks]);
  const service = await ServiceProcess.start({ program, env: { CAIRN_ROLE: 'ingest', DATABASE_URL: db.url } });
  t.onTestFinished(() => service.kill());
  // As other work on the machine would, it takes the processor away now and then.
  const taken = setInterval(() => {
    service.signal('SIGSTOP');
    setTimeout(() => service.signal('SIGCONT'), 300);
  }, 600);
  t.onTestFinished(() => clearInterval(taken));
  expect(await folded(db.sql, last)).toMatchObject({ height: 3, halted_at: null });

  const [totals] = await db.sql<{ holders: number; amount: string }[]>`
    select count(*)::int as holders, sum(h.balance) as amount from holders h where h.asset = 0 and h.balance = ${String(addedAmount)}
  `;
  expect(totals).toEqual({ holders: accounts, amount: String(BigInt(accounts) * addedAmount) });
  const name = Buffer.from(principalToBytes(addedAccount(accounts - 1)));
  const history = await db.sql`
    select h.height, h.received from principal_transactions h join principals p on p.id = h.principal where p.name = ${name}
  `;
  expect(history).toEqual([{ height: 1, received: String(addedAmount) }]);
});
