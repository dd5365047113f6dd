import { decodeNakamotoBlock, decodeNakamotoHeader, nakamotoBlockId } from '@cairn-stacks/codec/block/nakamoto-block';
import { bareHex } from '@cairn-stacks/codec/hex';
import { verifyInclusion } from '@cairn-stacks/codec/proof/inclusion-proof';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { blockBytes } from '@cairn-stacks/devnet/chain/stored/block-record';
import { expect, test } from 'vitest';
import type { Pool } from '../../src/db/client.ts';
import { HeaderKeeper, type HeaderKeeperOptions } from '../../src/ingest/headers/header-keeper.ts';
import { findTip, listBlocksWithoutHeader } from '../../src/ingest/headers/header-rows.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { serveChain } from '../support/served-chain.ts';
import { foldAll, until } from '../support/service.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

/** A keeper in front of nodes that have these blocks; `asked` are the ids that it asked for. */
function startKeeper(
  t: Ending,
  sql: Pool,
  blocks: () => readonly BuiltBlock[],
  options: Partial<HeaderKeeperOptions> = {},
) {
  const asked: string[] = [];
  const lines: string[] = [];
  const write = (_: object, message: string) => void lines.push(message);
  const keeper = new HeaderKeeper({
    ...{ sql, keep: 1000, everyMs: 5, log: { info: write, warn: write, error: write } },
    readHeader: async id => {
      asked.push(id);
      const block = blocks().find(({ indexHash }) => indexHash === `0x${id}`);
      return block && decodeNakamotoBlock(blockBytes(block)!).header;
    },
    ...options,
  });
  keeper.start();
  t.onTestFinished(() => keeper.stop());
  return { asked, lines, keeper };
}

const idsOf = (blocks: readonly BuiltBlock[]) => blocks.map(({ indexHash }) => indexHash.slice(2)).sort();

/** The ids of the stored headers, each computed from its bytes. */
async function storedIds(sql: Pool): Promise<string[]> {
  const rows = await sql<{ index_hash: Buffer; header: Buffer }[]>`select index_hash, header from block_headers`;
  return rows
    .map(({ index_hash, header }) => {
      expect(bareHex(nakamotoBlockId(decodeNakamotoHeader(header)))).toBe(index_hash.toString('hex'));
      return index_hash.toString('hex');
    })
    .sort();
}

const hasAll = (sql: Pool, blocks: readonly BuiltBlock[]) => async () => {
  const stored = new Set(await storedIds(sql));
  return idsOf(blocks).every(id => stored.has(id));
};

test('proofs come from the tables once the headers were read, and after a fork from those of the new branch', async t => {
  const chain = testChain({ seed: 5 });
  const line = mineLine(chain, chain.genesis, 4, { transactions: 1 });
  const branch = mineLine(chain, line[1]!, 3, { transactions: 1 });
  const all = [...line, ...branch];
  const byId = new Map(all.map(block => [block.indexHash.slice(2), block]));
  const asked: string[] = [];
  const readNodeBlock = async (id: string) => {
    asked.push(id);
    return blockBytes(byId.get(id)!);
  };
  const api = await serveChain(t, [chain.genesis, ...line], { readNodeBlock });
  const { sql } = api.database;
  /** The proofs of every transaction of some blocks, by the response of its route. */
  const proofsOf = async (blocks: readonly BuiltBlock[]) => {
    const bodies: unknown[] = [];
    for (const { transactions } of blocks)
      for (const { txId } of transactions) bodies.push((await api.ask(`/extended/v3/transactions/${txId}/proof`)).body);
    return bodies;
  };
  const fromNode = await proofsOf(line);
  expect(asked.length).toBeGreaterThan(0);

  const keeper = startKeeper(t, sql, () => all);
  await until(hasAll(sql, line));
  api.responses.clear();
  asked.length = 0;
  expect(await proofsOf(line)).toEqual(fromNode);
  expect(asked).toEqual([]);
  expect(fromNode.filter(body => verifyInclusion(body as never, undefined).valid).length).toBeGreaterThan(3);

  const position = await foldAll(api.database, branch.flatMap(messagesOf));
  await until(async () => api.tip.current?.seq === Number(position.journal_seq));
  await until(hasAll(sql, branch));
  const moved = (await proofsOf(branch)) as { index_block_hash?: string }[];
  expect(asked).toEqual([]);
  const canonical = new Set([...line.slice(0, 2), ...branch].map(({ indexHash }) => indexHash));
  const proven = moved.filter(({ index_block_hash }) => index_block_hash !== undefined);
  expect(proven.length).toBeGreaterThan(3);
  expect(proven.filter(({ index_block_hash }) => !canonical.has(index_block_hash!))).toEqual([]);
  // The headers of the branch that was left stay: each belongs to its block.
  expect(await storedIds(sql)).toEqual(idsOf(all));
  // No block was asked for twice.
  expect(keeper.asked.toSorted()).toEqual(idsOf(all));
});

test('headers of old blocks go, and a block that no node has keeps nobody from the others', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 6 });
  const line = mineLine(chain, chain.genesis, 12);
  await foldAll(db, [chain.genesis, ...line.slice(0, 10)].flatMap(messagesOf));
  const lost = line[7]!;
  const blocks = line.filter(block => block !== lost);
  const { asked } = startKeeper(t, db.sql, () => blocks, { keep: 5 });
  const wanted = (from: number, to: number) => line.slice(from, to).filter(block => block !== lost);
  await until(hasAll(db.sql, wanted(5, 10)));
  expect(await storedIds(db.sql)).toEqual(idsOf(wanted(5, 10)));
  await foldAll(db, line.slice(10).flatMap(messagesOf));
  const expected = idsOf(wanted(7, 12));
  await until(async () => JSON.stringify(await storedIds(db.sql)) === JSON.stringify(expected));
  expect(asked.filter(id => id === lost.indexHash.slice(2))).toHaveLength(1);
});

test('nodes that do not respond are asked again, and what was read before is kept', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 7 });
  const line = mineLine(chain, chain.genesis, 6);
  await foldAll(db, [chain.genesis, ...line].flatMap(messagesOf));
  let left = 3;
  let down = 0;
  const { lines } = startKeeper(t, db.sql, () => line, {
    readHeader: async id => {
      if (left === 0 && down < 3) {
        down++;
        throw new Error('no node responds');
      }
      left = Math.max(0, left - 1);
      return decodeNakamotoBlock(blockBytes(line.find(({ indexHash }) => indexHash === `0x${id}`)!)!).header;
    },
  });
  await until(() => down > 0);
  await until(async () => (await storedIds(db.sql)).length >= 3);
  await until(hasAll(db.sql, line));
  expect(down).toBe(3);
  expect(lines).toEqual(['headers of blocks cannot be read from the nodes; it is tried again']);
});

test('blocks of 2.x have no header to read', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 8, release: '2.4' });
  const line = mineLine(chain, chain.genesis, 3);
  await foldAll(db, [chain.genesis, ...line].flatMap(messagesOf));
  expect(await findTip(db.sql)).toMatchObject({ height: 3 });
  expect(await listBlocksWithoutHeader(db.sql, 0, 3)).toEqual([]);
});
