import { bareHex } from '@cairn-stacks/codec/hex';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { expect, test } from 'vitest';
import { compareWithNode } from '../../src/audit/node-accounts.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { append, foldAll } from '../support/service.ts';
import { startObserver, startSimulation } from '../support/simulation.ts';
import { json, type StubNode, startNodes } from '../support/stub-node.ts';

test('accounts are compared at a block that both have, while the node goes on', async t => {
  const database = await testDatabase(t);
  let following = true;
  const observer = await startObserver(t, {
    take: async ({ path, body }) => following && (await append(database, [{ path, body: body.toString() }])),
  });
  const devnet = await startSimulation(t, { observer: observer.url });
  await foldAll(database, []);
  following = false;
  for (let i = 0; i < 3; i++) await devnet.exclusively(() => devnet.step());
  expect(await compareWithNode(database.sql, devnet.url, 40)).toEqual([]);
  // What is wrong is still found.
  const [row] = await database.sql<{ principal: number }[]>`
    update holders set balance = balance + 1
    where asset = 0 and principal = (select h.principal from holders h where h.asset = 0 order by h.balance desc limit 1)
    returning principal
  `;
  expect(row).toBeDefined();
  expect(await compareWithNode(database.sql, devnet.url, 40)).toMatchObject([{ check: 'node accounts' }]);
});

const chain = testChain({ seed: 61 });
const [, , three, four] = mineLine(chain, chain.genesis, 4, { transactions: 3 });

/** Lets a node stand at a block and tell its balances, whatever tip it is asked for. */
function stand(stub: StubNode, { height, hash, tenure, state }: BuiltBlock): void {
  Object.assign(stub, { height, tip: hash.slice(2), consensusHash: bareHex(tenure.consensusHash) });
  stub.answers['*'] = ({ url }) => {
    const principal = /accounts\/([^?]+)/.exec(url)?.[1] ?? '';
    const locked = state.locked.get(principal) ?? 0n;
    return json({ balance: String(state.spendable(principal)), locked: String(locked) });
  };
}

test('a node that serves only its tip is polled until it was at our block', async t => {
  const database = await testDatabase(t);
  const [stub] = await startNodes(t, 1);
  const blocks = [chain.genesis, ...ancestors(three!), three!];
  await foldAll(database, blocks);
  stand(stub!, four!);
  await expect(compareWithNode(database.sql, stub!.url, 40, { tries: 2, pauseMs: 1 })).rejects.toThrow(
    'in 2 tries the node and this index were never seen at one block',
  );
  // It moves back to our block while it is asked.
  const ahead = stub!.answers['*']!;
  let asked = 0;
  stub!.answers['*'] = request => {
    if (++asked === 10) stand(stub!, three!);
    return ahead(request);
  };
  expect(await compareWithNode(database.sql, stub!.url, 40, { tries: 5, pauseMs: 1 })).toEqual([]);
});

function ancestors({ parent }: BuiltBlock): BuiltBlock[] {
  return parent && parent.height > 0 ? [...ancestors(parent), parent] : [];
}
