import { burnMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import type { BurnBlock } from '@cairn-stacks/devnet/chain/burn-chain';
import type { ChainBuilder } from '@cairn-stacks/devnet/chain/chain-builder';
import { type Message, messageText } from '@cairn-stacks/devnet/chain/message-text';
import { expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { compressBody } from '../../src/ingest/log/payload.ts';
import { findIngestStatus } from '../../src/read/status/status-queries.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { differences, dump } from '../support/dump.ts';
import { eventOf, foldAll, positionOf, startFold, until } from '../support/service.ts';

type Context = Parameters<typeof testDatabase>[0];

const tipOf = async ({ sql }: TestDatabase) => `0x${(await positionOf(sql)).index_hash.toString('hex')}`;
const mineBurns = (chain: ChainBuilder, count: number): BurnBlock[] =>
  Array.from({ length: count }, () => chain.burnChain.mine());

/** A tenure that is extended to a second burn block, and 16 blocks on the extension, as a node posts them. */
function extendedTenure(seed: number) {
  const chain = testChain({ seed });
  const first = chain.mine(chain.genesis, { tenure: 'new' });
  const elected = chain.mine(first, { tenure: 'new' });
  const kept = mineLine(chain, elected, 3, { tenure: 'same' });
  const extension = chain.mine(kept.at(-1), { tenure: 'extend' });
  const lost = [extension, ...mineLine(chain, extension, 16, { tenure: 'same' })];
  const shared = [chain.genesis, first, elected, ...kept];
  return { chain, elected, last: kept.at(-1)!, lost, shared, messages: [...shared, ...lost].flatMap(messagesOf) };
}

async function start(t: Context) {
  const db = await testDatabase(t);
  return { db, feed: (...messages: Message[]) => foldAll(db, messages), tip: () => tipOf(db) };
}

test('a fork that orphans the burn view of an extended tenure takes the tables back to the block below the extension', async t => {
  const { db, feed, tip } = await start(t);
  const { chain, last, lost, shared, messages } = extendedTenure(31);
  await feed(...messages);
  expect(await tip()).toBe(lost.at(-1)!.indexHash);
  // The block that elected the miner survives; the new branch stays shorter than the dead one.
  chain.burnChain.goBack(1);
  const burns = mineBurns(chain, 2);
  await feed(burnMessage(burns[0]!));
  expect(await tip()).toBe(last.indexHash);
  await feed(burnMessage(burns[1]!));
  const again = chain.mine(last, { tenure: 'same', view: burns[1]! });
  await feed(again);
  expect([await tip(), again.height]).toEqual([again.indexHash, lost[0]!.height]);
  expect((await findIngestStatus(db.sql)).tipRuledOut).toBe(false);

  const calm = await testDatabase(t);
  await foldAll(calm, [...shared.flatMap(messagesOf), ...burns.map(burnMessage), again]);
  expect(differences(await dump(db.sql), await dump(calm.sql))).toEqual([]);
});

test('the branch of a burn view comes back with it, and leaves with it again', async t => {
  const { feed, tip } = await start(t);
  const { chain, last, lost, messages } = extendedTenure(32);
  await feed(...messages);
  const a = chain.burnChain.tip;
  chain.burnChain.goBack(1);
  await feed(...mineBurns(chain, 2).map(burnMessage));
  const b = chain.burnChain.tip;
  expect(await tip()).toBe(last.indexHash);
  chain.burnChain.tip = a;
  await feed(...mineBurns(chain, 2).map(burnMessage));
  expect(await tip()).toBe(lost.at(-1)!.indexHash);
  chain.burnChain.tip = b;
  await feed(...mineBurns(chain, 2).map(burnMessage));
  expect(await tip()).toBe(last.indexHash);
});

test('blocks and burn blocks may come in any order: what the log says in the end decides', async t => {
  const { chain, last, lost, shared } = extendedTenure(33);
  const dead = lost[0]!.view;
  chain.burnChain.goBack(1);
  const burns = mineBurns(chain, 2).map(burnMessage);
  const trunk = shared.flatMap(messagesOf);
  const orders: Record<string, Message[]> = {
    'the dead branch after the fork': [...trunk, burnMessage(dead), ...burns, ...lost],
    'the extension last': [...trunk, burnMessage(dead), ...lost.slice(1), ...burns, lost[0]!],
    'the dead burn block between the new ones': [...trunk, ...lost, burns[0]!, burnMessage(dead), burns[1]!],
  };
  for (const [name, messages] of Object.entries(orders)) {
    const { feed, tip } = await start(t);
    await feed(...messages);
    expect([name, await tip()]).toEqual([name, last.indexHash]);
  }
});

test('a burn view that nobody announced rules nothing out', async t => {
  const { feed, tip } = await start(t);
  const { chain, lost, shared } = extendedTenure(34);
  await feed(...shared.flatMap(messagesOf), ...lost);
  chain.burnChain.goBack(1);
  await feed(...mineBurns(chain, 2).map(burnMessage));
  expect(await tip()).toBe(lost.at(-1)!.indexHash);
});

test('a burn block of the losing branch of another node rules out the blocks that came before it', async t => {
  const { db, feed, tip } = await start(t);
  const { chain, last, lost, shared } = extendedTenure(35);
  const dead = lost[0]!.view;
  chain.burnChain.goBack(1);
  const burns = mineBurns(chain, 3);
  await feed(...shared.flatMap(messagesOf), ...burns.map(burnMessage), ...lost);
  expect(await tip()).toBe(lost.at(-1)!.indexHash);
  const log = new EventLog(db.sql);
  await log.append({ ...eventOf(burnMessage(dead)), source: 'node 10.0.0.2' });
  await log.close();
  await feed();
  expect(await tip()).toBe(last.indexHash);
  const rows = await db.sql<{ canonical: boolean }[]>`
    select t.canonical from burn_tree t where t.hash = decode(${dead.hash.slice(2)}, 'hex')
  `;
  expect(rows).toEqual([{ canonical: false }]);
});

test('a burn block is stored though its node has left its branch for one that loses', async t => {
  const { db, feed } = await start(t);
  const chain = testChain({ seed: 36 });
  const blocks = mineLine(chain, chain.genesis, 4, { tenure: 'new' });
  const post = async (source: string, ...burns: BurnBlock[]) => {
    const log = new EventLog(db.sql);
    for (const burn of burns) await log.append({ ...eventOf(burnMessage(burn)), source });
    await log.close();
    await feed();
  };
  await feed(chain.genesis, ...blocks.flatMap(messagesOf));
  const shared = chain.burnChain.tip.parent!.parent!;
  chain.burnChain.tip = shared;
  await post('node 10.0.0.2', ...mineBurns(chain, 2));
  chain.burnChain.tip = shared;
  const left = chain.burnChain.mine();
  await post('node 127.0.0.1', left);
  const rows = await db.sql`select 1 from burn_tree t where t.hash = decode(${left.hash.slice(2)}, 'hex')`;
  expect(rows).toHaveLength(1);
});

/** Takes the tables back to the schema of the release before; a fold of that release knew no burn views. */
async function forgetBurnViews({ sql }: TestDatabase): Promise<void> {
  await sql`alter table block_tree drop column burn_view`;
  await sql`alter table burn_tree drop column consensus_hash`;
  await sql`drop index events_genesis_index`;
  await sql`alter table burn_pox_outputs drop column payer`;
  await sql`create index transactions_target on transactions (target, height) where target <> 0`;
  await sql`drop index transactions_target_type`;
  await sql`drop table sbtc_deposits, sbtc_withdrawal_states, sbtc_withdrawals, sbtc_movements`;
  await sql`drop table sbtc_key_rotations, sbtc_contracts, sbtc_totals`;
  await sql`drop table block_headers, chainhooks, chainhook_consumers, webhook_blocks, webhook_evaluations`;
  await sql`drop table webhook_deliveries, webhooks, publishers`;
  await sql`alter table api_keys drop column hooks`;
  await sql`drop table staking_terms, staking_signer_cycles, staking_rates, staking_signer_claims`;
  await sql`alter table staking_claims drop column cycle, drop column signer`;
  await sql`drop index staking_positions_exits`;
  await sql`drop index block_tree_unknown`;
  await sql`drop table print_shapes, print_shape_totals, asset_holders, bitcoin_outputs, bitcoin_jobs, bitcoin_positions`;
  await sql`drop index nft_history_recipient`;
  await sql`create index transactions_failed on transactions (height, place) where status <> 1`;
  await sql`drop index transactions_aborted`;
  await sql`delete from migrations where name >= '0031'`;
}

/** A database that an earlier release left on the dead branch: it did not look at the names of burn blocks. */
async function standOnDeadBranch(t: Context, seed: number) {
  const { db, feed, tip } = await start(t);
  const { chain, last, lost, messages } = extendedTenure(seed);
  chain.burnChain.goBack(1);
  const told = [...messages, ...mineBurns(chain, 2).map(burnMessage)];
  const unnamed = told.map(message => {
    const { consensus_hash: _, ...body } = message.body as Record<string, unknown>;
    return message.path === '/new_burn_block' ? { ...message, body } : message;
  });
  await feed(...unnamed);
  expect(await tip()).toBe(lost.at(-1)!.indexHash);
  for (const [i, { path, body }] of told.entries()) {
    if (path !== '/new_burn_block') continue;
    const { parts, size, hash } = await compressBody(Buffer.from(messageText(body)));
    await db.sql`
      update event_log set payload = ${Buffer.concat(parts)}, size = ${size}, hash = ${hash} where id = ${i + 1}
    `;
  }
  await db.sql`update burn_blocks b set consensus_hash = decode(repeat('00', 20), 'hex')`;
  await forgetBurnViews(db);
  return { db, tip, last, lost };
}

test('a database of an earlier release that stands on a dead branch leaves it at its first start', async t => {
  const { db, tip, last, lost } = await standOnDeadBranch(t, 37);
  await migrate(db.url);
  const [named] = await db.sql<{ count: number }[]>`select count(*)::int from block_tree where burn_view <> ''`;
  expect(named!.count).toBe(3);
  const fold = startFold(db);
  t.onTestFinished(() => fold.stop());
  await until(async () => (await tip()) === last.indexHash);
  const [left] = await db.sql<{ count: number }[]>`select count(*)::int from block_tree where ruled_out`;
  expect(left!.count).toBe(lost.length);
});

test('what was pruned from the log before the upgrade stays unknown and rules nothing out', async t => {
  const { db, tip, lost } = await standOnDeadBranch(t, 38);
  await db.sql`delete from event_log`;
  await migrate(db.url);
  const fold = startFold(db);
  const isRead = async () => {
    const unread = await db.sql`select 1 from burn_tree t where t.consensus_hash is null`;
    return unread.length === 0;
  };
  await until(isRead);
  await fold.stop();
  expect(await tip()).toBe(lost.at(-1)!.indexHash);
});
