import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stacksToBitcoinAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { principalFromBytes, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { formatBnsName } from '@cairn-stacks/codec/bns-name';
import type { Action } from '@cairn-stacks/devnet/chain/action';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { Random } from '@cairn-stacks/devnet/random';
import { expect, test } from 'vitest';
import { readBnsEvents } from '../../src/chain/names/event.ts';
import type { Pool } from '../../src/db/client.ts';
import { deriveCurrents } from '../../src/ingest/load/bulk-load.ts';
import { readGenesisFiles } from '../../src/ingest/load/genesis-name-files.ts';
import { genesisNamesPath } from '../../src/ingest/load/genesis-names.ts';
import { rebuild } from '../../src/ingest/load/rebuild.ts';
import { findPrimaryName, listNames, listNamesOf } from '../../src/read/names/lists-queries.ts';
import { findName } from '../../src/read/names/names-queries.ts';
import { listSubdomains } from '../../src/read/names/subdomains-queries.ts';
import { findVesting } from '../../src/read/principals/vesting-queries.ts';
import { messagesOf, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { differences, dump } from '../support/dump.ts';
import {
  addressOf,
  attachmentMessage,
  attachmentOf,
  hashOf,
  registrarZonefile,
  v1,
  v2,
} from '../support/names-chain.ts';
import { foldAll, startFold, testNetwork } from '../support/service.ts';

const [alice, bob, carol] = [0, 1, 2].map(addressOf) as [string, string, string];
const zonefile = 'ab'.repeat(20);

async function ownerOf(sql: Pool, name: string, height?: number): Promise<string | undefined> {
  const found = await findName(sql, name, height === undefined ? 'tip' : { height });
  return found?.owner ? principalFromBytes(found.owner) : undefined;
}

test('a fork across a registration, a transfer and a revocation leaves no trace', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ accounts: 3 });
  const one = chain.mine(chain.genesis, {
    transactions: [
      v1(0, { name: 'name-register', fqn: 'a.btc', zonefile }),
      v1(0, { name: 'name-register', fqn: 'b.btc', zonefile }),
    ],
  });
  const lost = chain.mine(one, {
    transactions: [
      v1(0, { name: 'name-transfer', fqn: 'a.btc', to: bob }),
      v1(0, { name: 'name-revoke', fqn: 'b.btc' }),
      v1(1, { name: 'name-register', fqn: 'c.btc', zonefile }),
    ],
  });
  const won = chain.mine(one, { transactions: [v1(0, { name: 'name-transfer', fqn: 'a.btc', to: carol })] });
  const tip = chain.mine(won, { transactions: 0 });
  await foldAll(db, [...messagesOf(chain.genesis), ...messagesOf(one), ...messagesOf(lost)]);
  expect(await ownerOf(db.sql, 'a.btc')).toBe(bob);
  expect(await listNames(db.sql, 0)).toEqual(['a.btc', 'c.btc']);
  await foldAll(db, [...messagesOf(won), ...messagesOf(tip)]);
  expect(await ownerOf(db.sql, 'a.btc')).toBe(carol);
  expect(await ownerOf(db.sql, 'a.btc', 1)).toBe(alice);
  expect(await listNames(db.sql, 0)).toEqual(['a.btc', 'b.btc']);
  expect(await listNamesOf(db.sql, principalToBytes(bob))).toEqual([]);

  const fresh = await testDatabase(t);
  await foldAll(fresh, [chain.genesis, one, won, tip].flatMap(messagesOf));
  // The burn block of the branch that lost is no less a burn block.
  const found = differences(await dump(db.sql), await dump(fresh.sql));
  expect(found.filter(line => !line.startsWith('burn_'))).toEqual([]);
});

test('an import gives a name to its beneficiary, and failed calls change nothing', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ accounts: 3 });
  const block = chain.mine(chain.genesis, {
    transactions: [
      v1(0, { name: 'name-import', fqn: 'a.btc', to: bob, zonefile }),
      { ...v1(1, { name: 'name-transfer', fqn: 'a.btc', to: carol }), fails: 'response' },
      { ...v1(1, { name: 'name-renewal', fqn: 'a.btc' }), fails: 'post_condition' },
    ],
  });
  await foldAll(db, [chain.genesis, block].flatMap(messagesOf));
  expect(await findName(db.sql, 'a.btc', 'tip')).toMatchObject({ status: 1, change: 1, lease_start: 0 });
  expect(await ownerOf(db.sql, 'a.btc')).toBe(bob);
});

test('a renewal that prints nothing keeps zonefile and owner and begins a new lease', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ accounts: 3 });
  const one = chain.mine(chain.genesis, { transactions: [v1(0, { name: 'name-register', fqn: 'a.btc', zonefile })] });
  const two = chain.mine(one, {
    transactions: [v1(0, { name: 'name-update', fqn: 'a.btc', zonefile: 'cd'.repeat(20) })],
  });
  const three = chain.mine(two, { transactions: [v1(0, { name: 'name-renewal', fqn: 'a.btc' })] });
  await foldAll(db, [chain.genesis, one, two, three].flatMap(messagesOf));
  expect(await findName(db.sql, 'a.btc', { height: 2 })).toMatchObject({ lease_start: 1, status: 3 });
  const found = await findName(db.sql, 'a.btc', 'tip');
  expect(found).toMatchObject({ lease_start: 3, status: 5 });
  expect(found!.zonefile_hash.toString('hex')).toBe('cd'.repeat(20));
  expect(await ownerOf(db.sql, 'a.btc')).toBe(alice);
});

test('zonefiles count whenever they come: before, after or without their transaction', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ accounts: 3 });
  const [early, late, stray] = [['one'], ['one', 'two'], ['three']].map(labels => registrarZonefile(bob, labels)) as [
    string,
    string,
    string,
  ];
  const fqn = 'registrar.id';
  const one = chain.mine(chain.genesis, { transactions: [v1(0, { name: 'name-register', fqn, zonefile })] });
  const two = chain.mine(one, { transactions: [v1(0, { name: 'name-update', fqn, zonefile: hashOf(early) })] });
  const three = chain.mine(two, { transactions: [v1(0, { name: 'name-update', fqn, zonefile: hashOf(late) })] });
  await foldAll(db, [
    ...messagesOf(chain.genesis),
    attachmentMessage(attachmentOf({ fqn, zonefile: early }), attachmentOf({ fqn, zonefile: stray })),
    ...[one, two, three].flatMap(messagesOf),
  ]);
  expect(await listSubdomains(db.sql, fqn)).toEqual(['one.registrar.id']);
  expect((await findName(db.sql, fqn, 'tip'))!.content).toBeNull();
  await foldAll(db, [attachmentMessage(attachmentOf({ fqn, zonefile: late }))]);
  expect(await listSubdomains(db.sql, fqn)).toEqual(['one.registrar.id', 'two.registrar.id']);
  expect((await findName(db.sql, fqn, 'tip'))!.content!.toString()).toBe(late);

  // The update that named `two` is orphaned; its zonefile stays, and counts again where the block does.
  const other = chain.mine(two, { transactions: 0 });
  const tip = chain.mine(other, { transactions: 0 });
  await foldAll(db, [other, tip].flatMap(messagesOf));
  expect(await listSubdomains(db.sql, fqn)).toEqual(['one.registrar.id']);
  const back = chain.mine(three, { transactions: 0 });
  await foldAll(db, [back, chain.mine(back, { transactions: 0 })].flatMap(messagesOf));
  expect(await listSubdomains(db.sql, fqn)).toEqual(['one.registrar.id', 'two.registrar.id']);
});

test('a zonefile that cannot be right is set aside and stops nothing', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ accounts: 3 });
  const good = attachmentOf({ fqn: 'a.btc', zonefile: 'good' });
  const block = chain.mine(chain.genesis, {
    transactions: [v1(0, { name: 'name-register', fqn: 'a.btc', zonefile: hashOf('good') })],
  });
  const position = await foldAll(db, [
    ...messagesOf(chain.genesis),
    { path: '/attachments/new', body: '{"no": "list"}' },
    { path: '/attachments/new', body: 'no JSON' },
    attachmentMessage(
      { ...good, content: '0x00' },
      { ...good, metadata: '0xff' },
      { ...good, content_hash: 7 },
      {},
      good,
    ),
    attachmentMessage(
      { ...good, content_hash: `0x${'00'.repeat(20)}`, content: '0x' },
      { ...good, contract_id: 'SP1.other' },
    ),
    ...messagesOf(block),
  ]);
  expect(position).toMatchObject({ height: 1, halted_at: null });
  const quarantined = await db.sql`select reason from event_quarantine order by event_id`;
  expect(quarantined.map(({ reason }) => reason)).toEqual([
    'attachments is not a list',
    'the body is not JSON',
    expect.stringMatching(
      /attachment 0: content does not have .*attachment 1: the attachment's metadata .*attachment 2: .*attachment 3: /,
    ),
  ]);
  expect((await findName(db.sql, 'a.btc', 'tip'))!.content!.toString()).toBe('good');
});

test('version 2 follows tokens, primary names, listings and burns', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ accounts: 3 });
  const [x, y] = ['x.btc', 'y.btc'];
  const steps: Action[][] = [
    [v1(0, { name: 'name-register', fqn: x, zonefile })],
    [
      v2(2, { name: 'namespace-launch', namespace: 'btc', lifetime: 1000, launchedAt: 90 }),
      v2(2, { name: 'name-airdrop', fqn: x, id: 1, to: alice }),
    ],
    [
      v2(0, { name: 'name-register', fqn: y, id: 2, renewal: 2000 }),
      v2(0, { name: 'update-zonefile', fqn: x, zonefile: 'mine' }),
    ],
    [v2(0, { name: 'set-primary-name', id: 2 }), v2(0, { name: 'list-in-ustx', id: 1, price: 5n })],
    [v2(1, { name: 'take-over', fqn: x, id: 1, before: alice, renewal: 3000 })],
    [v2(2, { name: 'mng-burn', fqn: y, id: 2, owner: alice })],
    [v1(0, { name: 'name-update', fqn: x, zonefile: 'cd'.repeat(20) })],
  ];
  const blocks: BuiltBlock[] = [chain.genesis];
  for (const transactions of steps) blocks.push(chain.mine(blocks.at(-1)!, { transactions }));
  await foldAll(db, blocks.flatMap(messagesOf));
  const { sql } = db;
  const primary = async (owner: string, height: number) =>
    (await findPrimaryName(sql, principalToBytes(owner), { height }))?.name;
  expect(await findName(sql, x, { height: 1 })).toMatchObject({ version: 1, token: 0 });
  expect(await findName(sql, x, { height: 2 })).toMatchObject({ version: 2, token: 1, renewal: 0, lifetime: 1000 });
  expect((await findName(sql, x, { height: 3 }))!.content!.toString()).toBe('mine');
  expect(await findName(sql, x, { height: 4 })).toMatchObject({ price: '5' });
  expect(await findName(sql, x, 'tip')).toMatchObject({ version: 2, renewal: 3000, price: null, content: null });
  expect(await ownerOf(sql, x)).toBe(bob);
  expect(await ownerOf(sql, y, 5)).toBe(alice);
  expect(await ownerOf(sql, y)).toBeUndefined();
  expect([await primary(alice, 1), await primary(alice, 3), await primary(alice, 5), await primary(bob, 5)]).toEqual([
    x,
    x,
    y,
    x,
  ]);
  expect(await primary(alice, 6)).toBeUndefined();
  const [{ rows }] = await sql<
    [{ rows: bigint }]
  >`select count(*) as rows from name_history where name = ${x} and height = 5`;
  expect(rows).toBe(1n);
  expect(await listNames(sql, 0)).toEqual([x]);
  const before = await dump(sql);
  await sql.begin(async tx => await deriveCurrents(tx));
  expect(differences(await dump(sql), before)).toEqual([]);
});

test('names of the genesis data are part of block 1, in any order of arrival', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-names-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  const content = '$ORIGIN old.id\n$TTL 3600\n';
  const buckets = Array.from({ length: 16 }, () => 1).join(';');
  await writeFile(
    join(folder, 'chainstate.txt'),
    `-----BEGIN STX BALANCES-----\naddress,balance\n${alice},100\n-----END STX BALANCES-----
-----BEGIN STX VESTING-----\naddress,value,blocks\n${stacksToBitcoinAddress(bob)},500,7\n${bob},20,7\n${carol},1,1
${carol},-1,1\n-----END STX VESTING-----
-----BEGIN NAMESPACES-----\nnamespace_id,address,buckets,base,coeff,nonalpha_discount,no_vowel_discount,lifetime
id,${stacksToBitcoinAddress(alice)},${buckets},4,250,4,4,52595\n-----END NAMESPACES-----
-----BEGIN NAMES-----\nname,address,zonefile_hash\nold.id,${stacksToBitcoinAddress(bob)},${hashOf(content)}
kept.id,${carol},\nbad line\n-----END NAMES-----\n`,
  );
  await writeFile(
    join(folder, 'name_zonefiles.txt'),
    `${hashOf(content)}\n${content.replaceAll('\n', '\\n')}\nff\nother\n`,
  );
  await writeFile(
    join(folder, 'subdomains.csv'),
    `zonefile_hash,parent,name,owner,height,index,offset,resolver\nab12,,sub.old.id,${carol},1,0,0,https://r.example\n`,
  );
  const refused: string[] = [];
  const parts: { path: string; body: object }[] = [];
  for await (const body of readGenesisFiles(folder, line => refused.push(line)))
    parts.push({ path: genesisNamesPath, body });
  expect(refused).toEqual(['bad line', `${carol},-1,1`, 'ff']);

  const chain = testChain({ accounts: 3 });
  const one = chain.mine(chain.genesis, { transactions: 0 });
  const two = chain.mine(one, { transactions: [v1(1, { name: 'name-transfer', fqn: 'old.id', to: alice })] });
  const blocks = [chain.genesis, one, two].flatMap(messagesOf);
  const [before, after, bulk] = [await testDatabase(t), await testDatabase(t), await testDatabase(t)];
  await foldAll(before, [...parts, ...blocks]);
  await foldAll(after, [...blocks, ...parts]);
  await foldAll(bulk, [...parts, ...blocks], { batchBlocks: 1 });
  for (const { sql } of [before, after]) {
    expect(await listNames(sql, 0)).toEqual(['kept.id', 'old.id']);
    expect(await ownerOf(sql, 'old.id', 1)).toBe(bob);
    expect(await ownerOf(sql, 'old.id')).toBe(alice);
    const found = await findName(sql, 'old.id', { height: 1 });
    expect(found).toMatchObject({ lease_start: 1, lifetime: 52595, tx_id: null });
    expect(found!.content!.toString()).toBe(content);
    expect(await listSubdomains(sql, 'old.id')).toEqual(['sub.old.id']);
    expect(await findVesting(sql, principalToBytes(bob), 'tip')).toEqual({
      locked: '520',
      unlocked: '0',
      schedule: [
        { amount: '500', height: 7 },
        { amount: '20', height: 7 },
      ],
    });
    expect(await findVesting(sql, principalToBytes(alice), 'tip')).toBeUndefined();
  }
  expect(differences(await dump(bulk.sql), await dump(before.sql))).toEqual([]);
});

test('a rebuild from the log restores names, zonefiles and quarantined items', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ accounts: 3 });
  const zone = registrarZonefile(bob, ['one']);
  const fqn = 'registrar.id';
  const transactions = [
    v1(0, { name: 'name-register', fqn, zonefile }),
    v1(0, { name: 'name-update', fqn, zonefile: hashOf(zone) }),
    v2(0, { name: 'name-register', fqn: 'x.btc', id: 1, renewal: 500 }),
    v2(0, { name: 'update-zonefile', fqn: 'x.btc', zonefile: 'mine' }),
  ];
  const good = attachmentOf({ fqn, zonefile: zone });
  const names = [{ ordinal: 0, name: 'old.id', owner: carol, zonefile_hash: '' }];
  const block = chain.mine(chain.genesis, { transactions });
  await foldAll(db, [
    { path: genesisNamesPath, body: { names } },
    { path: genesisNamesPath, body: { names: [{ ...names[0], owner: 'nobody' }] } },
    ...[chain.genesis, block].flatMap(messagesOf),
    attachmentMessage(good, { ...good, content: '0x00' }),
  ]);
  const before = await dump(db.sql);
  const fold = startFold(db);
  await rebuild({ url: db.url, network: testNetwork, log: { info() {}, warn() {}, error() {} } });
  await fold.stop();
  expect(await dump(db.sql)).toEqual(before);
  expect(await listNames(db.sql, 0)).toEqual(['old.id', fqn, 'x.btc']);
  expect(await listSubdomains(db.sql, fqn)).toEqual([`one.${fqn}`]);
  expect((await findName(db.sql, 'x.btc', 'tip'))!.content!.toString()).toBe('mine');
  expect(await db.sql`select event_id from event_quarantine`).toHaveLength(2);
});

/** Random calls over a handful of names; some of them fail. */
function randomCalls(random: Random, owners: Map<string, number>): Action[] {
  return Array.from({ length: random.below(4) }, () => {
    const fqn = `n${random.below(5)}.btc`;
    const owner = owners.get(fqn);
    const other = random.below(3);
    const what = random.below(6);
    if (owner === undefined || what === 0) {
      owners.set(fqn, other);
      const before = owner === undefined ? {} : { before: addressOf(owner) };
      return v1(other, { name: 'name-register', fqn, zonefile, ...before });
    }
    if (what <= 2) {
      const to = (owner + 1) % 3;
      owners.set(fqn, to);
      return v1(owner, { name: 'name-transfer', fqn, to: addressOf(to) });
    }
    if (what === 3) return v1(owner, { name: 'name-revoke', fqn });
    if (what === 4) return v1(owner, { name: 'name-renewal', fqn });
    return { ...v1(owner, { name: 'name-transfer', fqn, to: addressOf(other) }), fails: 'response' as const };
  });
}

test('the owner at any height is what a walk over the NFT events says, over any forks', async () => {
  for (let seed = 1; seed <= 6; seed++) {
    const random = new Random(seed);
    const chain = testChain({ accounts: 3, seed });
    const tree: { block: BuiltBlock; owners: Map<string, number> }[] = [{ block: chain.genesis, owners: new Map() }];
    for (let i = 0; i < 14; i++) {
      const parent = random.chance(3) ? tree.at(-1)! : tree[Math.max(0, tree.length - 1 - random.below(4))]!;
      const owners = new Map(parent.owners);
      tree.push({ block: chain.mine(parent.block, { transactions: randomCalls(random, owners) }), owners });
    }
    const db = await testDatabase();
    const fresh = await testDatabase();
    try {
      await foldAll(
        db,
        tree.flatMap(({ block }) => messagesOf(block)),
      );
      const line = await canonicalLine(
        db.sql,
        tree.map(({ block }) => block),
      );
      const walked = new Map<string, string>();
      for (const block of line) {
        for (const { events } of block.transactions) {
          for (const event of readBnsEvents({ events, status: 'walked' } as unknown as Parameters<
            typeof readBnsEvents
          >[0])) {
            if (event.kind === 'owned' && event.version === 1) walked.set(formatBnsName(event.name), event.to!);
          }
        }
        for (let n = 0; n < 5; n++) {
          const name = `n${n}.btc`;
          expect(await ownerOf(db.sql, name, block.height), `seed ${seed}, ${name} at ${block.height}`).toBe(
            walked.get(name),
          );
        }
      }
      await foldAll(fresh, [chain.genesis, ...line].flatMap(messagesOf));
      expect(differences(await dump(db.sql), await dump(fresh.sql)).filter(line => !line.startsWith('burn_'))).toEqual(
        [],
      );
    } finally {
      await db.drop();
      await fresh.drop();
    }
  }
});

async function canonicalLine(sql: Pool, blocks: BuiltBlock[]): Promise<BuiltBlock[]> {
  const rows = await sql<{ hash: Buffer }[]>`select index_hash as hash from blocks order by height`;
  return rows.map(({ hash }) => blocks.find(block => block.indexHash === `0x${hash.toString('hex')}`)!);
}
