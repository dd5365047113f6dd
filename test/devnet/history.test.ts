import { expect, test } from 'vitest';
import type { BuiltBlock } from '../../src/devnet/built-block.ts';
import { messagesOf } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { testDevnet } from '../support/devnet.ts';
import { differences, dump } from '../support/dump.ts';
import { foldAll, testNetwork } from '../support/service.ts';

test('after the forks of a devnet the tables equal a fresh replay of its canonical chain', async t => {
  const { node, told, live } = testDevnet({ seed: 5 });
  for (const depth of [1, 2, 4]) {
    live(9);
    node.fork(depth);
  }
  live(3);
  const canonical: BuiltBlock[] = [];
  for (let block: BuiltBlock | undefined = node.tip; block; block = block.parent) canonical.unshift(block);
  const [forked, straight] = await Promise.all([testDatabase(t), testDatabase(t)]);
  const network = { ...testNetwork, name: 'devnet' };
  const position = await foldAll(forked, told, { network });
  const burns = told.filter(message => message.path === '/new_burn_block');
  await foldAll(straight, [...burns, ...canonical.flatMap(messagesOf).filter(m => m.path === '/new_block')], {
    network,
  });
  expect(position.halt_reason).toBeNull();
  expect(`0x${position.index_hash.toString('hex')}`).toBe(node.tip.indexHash);
  expect(differences(await dump(forked.sql), await dump(straight.sql)).slice(0, 10)).toEqual([]);
}, 60_000);
