import { type Message, messageText } from '@cairn-stacks/devnet/chain/message-text';
import { expect, test } from 'vitest';
import { storeIdentity } from '../../src/app/identity.ts';
import { auditAll } from '../../src/audit/audit.ts';
import { FolderStore } from '../../src/ingest/snapshot/folder-store.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { testDevnet } from '../support/devnet.ts';
import { differences, dump } from '../support/dump.ts';
import { bodyOf, serveNode, startHealer, unknownByHeight } from '../support/healing.ts';
import { startService } from '../support/running-service.ts';
import { append, foldAll, positionOf, startFold, testNetwork, until } from '../support/service.ts';
import { chainDatabase, create, restore, testFolder, traces } from './support.ts';

const network = { ...testNetwork, name: 'devnet' };

test('a start with CAIRN_SNAPSHOT begins with the snapshot, continues with its node, and ignores the setting afterwards', async t => {
  const chain = testChain({ seed: 5 });
  const trunk = mineLine(chain, chain.genesis, 10);
  const db = await chainDatabase(t, [chain.genesis, ...trunk].flatMap(messagesOf));
  const folder = testFolder(t);
  await create(db, new FolderStore(folder));
  const later = mineLine(chain, trunk.at(-1)!, 3).flatMap(messagesOf);
  await foldAll(db, later);

  const target = await emptyDatabase(t);
  const settings = { DATABASE_URL: target.url, CAIRN_SNAPSHOT: folder, CAIRN_ROLE: 'ingest' };
  const service = await startService(t, settings);
  expect((await positionOf(target.sql)).height).toBe(10);
  for (const { path, body } of later) {
    const response = await fetch(`http://${service.addresses.observer}${path}`, {
      method: 'POST',
      body: messageText(body),
    });
    expect(response.status).toBe(200);
  }
  await until(async () => (await positionOf(target.sql)).height === 13);
  expect(differences(await dump(target.sql), await dump(db.sql))).toEqual([]);

  const second = await startService(t, settings);
  expect(second.lines().map(line => line.msg)).toContain(
    'CAIRN_SNAPSHOT has no effect: the database already holds a chain',
  );
});

test('a start with a snapshot of another chain is refused before anything is written', async t => {
  const db = await chainDatabase(t);
  const folder = testFolder(t);
  await create(db, new FolderStore(folder));
  const target = await emptyDatabase(t);
  const settings = { DATABASE_URL: target.url, CAIRN_SNAPSHOT: folder, CAIRN_NETWORK: 'mainnet' };
  await expect(startService(t, settings)).rejects.toThrow(
    /ended with code 2: .*holds testnet \(chain id 0x80000000\), but CAIRN_NETWORK is mainnet/s,
  );
  expect(await traces(target.sql)).toEqual([]);
});

test('a restored database whose node has gone on meanwhile heals the blocks in between', async t => {
  const devnet = testDevnet({ seed: 41 });
  devnet.live(30);
  const posted = devnet.posted.filter(({ path }) => path !== '/stackerdb_chunks');
  const isBlock = ({ path }: Message) => path === '/new_block';
  const heightOf = (message: Message) => bodyOf(message).block_height;
  const first = posted.findIndex(message => isBlock(message) && heightOf(message) === 12);
  const db = await testDatabase(t);
  await storeIdentity(db.sql, network, true);
  await foldAll(db, posted.slice(0, first), { network });
  const store = new FolderStore(testFolder(t));
  await create(db, store);

  const target = await emptyDatabase(t);
  await restore(target, store);
  const fold = startFold(target, { network });
  t.onTestFinished(() => fold.stop());
  const missed = posted.slice(first).filter(message => isBlock(message) && heightOf(message) < 22);
  await append(
    target,
    posted.slice(first).filter(message => !missed.includes(message)),
  );
  startHealer(t, target, await serveNode(t, devnet));
  const top = Math.max(...posted.filter(isBlock).map(heightOf));
  await until(async () => (await positionOf(target.sql)).height === top);
  expect([...(await unknownByHeight(target)).keys()]).toEqual(missed.map(heightOf));
  const findings = await auditAll(target.sql);
  expect(findings.filter(finding => finding.reason === undefined)).toEqual([]);
});
