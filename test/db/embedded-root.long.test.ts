import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, type TestContext, test } from 'vitest';
import { clusters as command } from '../../src/commands/clusters.ts';
import { canUse, serverAccount } from '../../src/db/embedded/account.ts';
import { findPackage, prepareBinaries } from '../../src/db/embedded/binaries.ts';
import { listClusters, removeCluster, removeUnfinished } from '../../src/db/embedded/cluster-list.ts';
import { ask, isRoot, serverPid, start, temporaryFolder } from './embedded-support.ts';

/** A copy of the installed binaries without the links that the package's install script makes. */
function unlinkedCopy(folder: string) {
  const found = findPackage();
  const directory = join(folder, 'native');
  cpSync(found.directory, directory, { recursive: true, verbatimSymlinks: true });
  for (const name of readdirSync(join(directory, 'lib'))) {
    if (/^lib.*\.so(\.\d+)?$/.test(name) && linkNames(directory).includes(name)) rmSync(join(directory, 'lib', name));
  }
  return { ...found, directory };
}

const linkNames = (directory: string) =>
  (JSON.parse(readFileSync(join(directory, 'pg-symlinks.json'), 'utf8')) as { target: string }[]).map(
    ({ target }) => target.split('/').pop()!,
  );

const version = (directory: string) =>
  execFileSync(join(directory, 'bin', 'postgres'), ['--version'], { ...serverAccount(), cwd: '/', encoding: 'utf8' });

test('the library links are made where install scripts are off', t => {
  const found = unlinkedCopy(temporaryFolder(t));
  expect(() => version(found.directory)).toThrow();
  const prepared = prepareBinaries(found, serverAccount(), () => {
    throw new Error('nothing needs to be copied');
  });
  expect(version(prepared.directory)).toContain('PostgreSQL) 18');
});

test('two processes may make the library links at once', async t => {
  const found = unlinkedCopy(temporaryFolder(t));
  const script = join(temporaryFolder(t), 'link.mjs');
  const module = fileURLToPath(new URL('../../dist/db/embedded/binaries.js', import.meta.url));
  writeFileSync(
    script,
    `import { prepareBinaries } from ${JSON.stringify(module)};
     process.on('message', found => { prepareBinaries(found, undefined, () => '/nowhere'); process.exit(0); });
     process.send('ready');`,
  );
  const children = [fork(script), fork(script)];
  await Promise.all(children.map(child => once(child, 'message')));
  const exits = children.map(child => once(child, 'exit'));
  for (const child of children) child.send(found);
  expect((await Promise.all(exits)).map(([code]) => code)).toEqual([0, 0]);
  expect(version(found.directory)).toContain('PostgreSQL) 18');
});

test('binaries in a folder that may not be written to are copied', t => {
  t.skip(isRoot, 'root may write to every folder');
  const folder = temporaryFolder(t);
  const found = unlinkedCopy(folder);
  const lib = join(found.directory, 'lib');
  chmodSync(lib, 0o555);
  t.onTestFinished(() => chmodSync(lib, 0o755));
  const prepared = prepareBinaries(found, undefined, () => folder);
  expect(prepared.directory).not.toBe(found.directory);
  expect(version(prepared.directory)).toContain('PostgreSQL) 18');
});

describe('as root', () => {
  beforeEach(t => t.skip(!isRoot, 'only root can run a server as another user'));

  /** A data folder whose parent only root can enter, and fallback folders for what cannot live in it. */
  function closed(t: TestContext) {
    const folder = temporaryFolder(t);
    const parent = join(folder, 'closed');
    mkdirSync(parent, { mode: 0o700 });
    return { parent, dataDir: join(parent, 'data'), fallbackDirs: [join(folder, 'fallbackDir')] };
  }

  const leftovers = (fallbackDirs: string[]) => listClusters(fallbackDirs).filter(({ state }) => state === 'leftover');

  const clusters = (fallbackDirs: string[]) =>
    readdirSync(fallbackDirs[0]!).filter(name => name.startsWith('cluster-'));

  test('the server runs as an unprivileged user, who owns its files', async t => {
    const dataDir = join(temporaryFolder(t), 'data');
    const { url } = await start(t, { dataDir });
    expect(statSync(`/proc/${await serverPid(url)}`).uid).toBe(serverAccount()!.uid);
    expect(statSync(join(dataDir, 'postgres', 'cluster')).uid).toBe(serverAccount()!.uid);
    expect(statSync(join(dataDir, 'postgres.password')).uid).toBe(0);
  });

  test('a database that another user made is run as that user', async t => {
    const dataDir = join(temporaryFolder(t), 'data');
    await (await start(t, { dataDir })).stop();
    execFileSync('chown', ['-R', '1:1', join(dataDir, 'postgres')]);
    const { url } = await start(t, { dataDir });
    expect(statSync(`/proc/${await serverPid(url)}`).uid).toBe(1);
  });

  test('binaries that the user cannot reach are copied, whatever their umask', t => {
    const folder = temporaryFolder(t);
    const hidden = join(folder, 'hidden');
    mkdirSync(hidden, { mode: 0o700 });
    const found = unlinkedCopy(hidden);
    execFileSync('chmod', ['-R', 'go-rwx', found.directory]);
    const prepared = prepareBinaries(found, serverAccount(), () => folder);
    expect(prepared.directory).toBe(join(folder, `postgres-${found.version}`));
    expect(version(prepared.directory)).toContain('PostgreSQL) 18');
    expect(prepareBinaries(found, serverAccount(), () => folder)).toEqual(prepared);
    expect(readdirSync(folder).filter(name => name.startsWith('postgres-'))).toHaveLength(1);
  });

  test('under a parent that the user cannot enter, the cluster lives elsewhere and is found again', async t => {
    const { dataDir, fallbackDirs } = closed(t);
    const first = await start(t, { dataDir, fallbackDirs });
    await ask(first.url, 'create table kept as select 7 as value');
    expect(readFileSync(join(dataDir, 'postgres.location'), 'utf8')).toBe(
      join(fallbackDirs[0]!, clusters(fallbackDirs)[0]!),
    );
    await first.stop();
    const second = await start(t, { dataDir, fallbackDirs });
    expect(await ask(second.url, 'select value from kept')).toBe(7);
    expect(clusters(fallbackDirs)).toHaveLength(1);
  });

  test('a fresh data folder in the place of a moved one gets a database of its own, and both keep their data', async t => {
    const { parent, dataDir, fallbackDirs } = closed(t);
    const first = await start(t, { dataDir, fallbackDirs });
    await ask(first.url, 'create table kept as select 7 as value');
    await first.stop();
    const moved = join(parent, 'data.bak');
    renameSync(dataDir, moved);
    const said: string[] = [];
    const fresh = await start(t, { dataDir, fallbackDirs, log: message => said.push(message) });
    await ask(fresh.url, 'create table kept as select 8 as value');
    await fresh.stop();
    const [leftover] = leftovers(fallbackDirs);
    expect(said.join()).toContain(`cairn clusters --remove ${leftover!.id}`);
    const again = await start(t, { dataDir: moved, fallbackDirs });
    expect(await ask(again.url, 'select value from kept')).toBe(7);
    await again.stop();
    const second = await start(t, { dataDir, fallbackDirs });
    expect(await ask(second.url, 'select value from kept')).toBe(8);
    expect(leftovers(fallbackDirs)).toEqual([]);
  });

  test('a removed data folder leaves its database until a command removes it', async t => {
    const { dataDir, fallbackDirs } = closed(t);
    const first = await start(t, { dataDir, fallbackDirs });
    const [old] = clusters(fallbackDirs);
    rmSync(dataDir, { recursive: true });
    const second = await start(t, { dataDir, fallbackDirs });
    expect(clusters(fallbackDirs)).toHaveLength(2);
    expect(await ask(second.url, 'select 1 as value')).toBe(1);
    expect(await ask(first.url, 'select 1 as value')).toBe(1);
    const [leftover] = leftovers(fallbackDirs);
    expect(leftover).toMatchObject({ folder: join(fallbackDirs[0]!, old!), dataDir, state: 'leftover', running: true });
    const kept = listClusters(fallbackDirs).find(cluster => cluster.state === 'named')!;
    await expect(removeCluster(kept.id, fallbackDirs)).rejects.toThrow(/belongs to the data folder .*data: /);
    await expect(removeCluster('0000', fallbackDirs)).rejects.toThrow('there is no database with the id 0000');
    const printed: string[] = [];
    await command(undefined, fallbackDirs, text => printed.push(text));
    expect(printed.filter(line => line.includes(leftover!.id))).toEqual([
      expect.stringMatching(/^[0-9a-f]{16} {2}leftover {2}\d+ MB {2}running/),
      expect.stringContaining(`cairn clusters --remove ${leftover!.id}`),
    ]);
    await command(leftover!.id, fallbackDirs, text => printed.push(text));
    expect(printed.at(-1)).toContain(`removed the database ${leftover!.id}`);
    expect(clusters(fallbackDirs)).not.toContain(old);
    await expect(ask(first.url, 'select 1 as value')).rejects.toThrow();
    expect(await ask(second.url, 'select 1 as value')).toBe(1);
  });

  test('a data folder removed while the server runs leaves its database at the stop, too', async t => {
    const { dataDir, fallbackDirs } = closed(t);
    const said: string[] = [];
    const server = await start(t, { dataDir, fallbackDirs, log: message => said.push(message) });
    rmSync(dataDir, { recursive: true });
    await server.stop();
    const [leftover] = leftovers(fallbackDirs);
    expect(leftover).toMatchObject({ state: 'leftover', running: false });
    expect(said.at(-1)).toContain(`cairn clusters --remove ${leftover!.id}`);
  });

  test('what was never finished holds no data and goes after a while', async t => {
    const { dataDir, fallbackDirs } = closed(t);
    await (await start(t, { dataDir, fallbackDirs })).stop();
    const unfinished = join(fallbackDirs[0]!, 'cluster-unfinished');
    mkdirSync(join(unfinished, 'cluster.new'), { recursive: true });
    expect(removeUnfinished(fallbackDirs)).toEqual([]); // may be in the making
    expect(removeUnfinished(fallbackDirs, Date.now() + 86_400_000)).toEqual([unfinished]);
    expect(clusters(fallbackDirs)).toHaveLength(1);
  });

  test('a database whose folder was moved to another fallback folder is found by its id', async t => {
    const { dataDir, fallbackDirs } = closed(t);
    const first = await start(t, { dataDir, fallbackDirs });
    await ask(first.url, 'create table kept as select 7 as value');
    await first.stop();
    const other = `${fallbackDirs[0]}-2`;
    renameSync(fallbackDirs[0]!, other);
    const second = await start(t, { dataDir, fallbackDirs: [fallbackDirs[0]!, other] });
    expect(await ask(second.url, 'select value from kept')).toBe(7);
    expect(existsSync(fallbackDirs[0]!)).toBe(false);
  });

  test('a copied data folder does not share the database that lives elsewhere', async t => {
    const { parent, dataDir, fallbackDirs } = closed(t);
    await (await start(t, { dataDir, fallbackDirs })).stop();
    const copy = join(parent, 'copy');
    cpSync(dataDir, copy, { recursive: true });
    await expect(start(t, { dataDir: copy, fallbackDirs })).rejects.toThrow(/belongs to the data folder .*data: /);
  });

  test('a backup of data folder and database is restored beside the original', async t => {
    const { parent, dataDir, fallbackDirs } = closed(t);
    const first = await start(t, { dataDir, fallbackDirs });
    await ask(first.url, 'create table kept as select 7 as value');
    await first.stop();
    const original = readFileSync(join(dataDir, 'postgres.location'), 'utf8');
    const restored = { dataDir: join(parent, 'restored'), cluster: `${original}-restored` };
    execFileSync('cp', ['-a', dataDir, restored.dataDir]);
    execFileSync('cp', ['-a', original, restored.cluster]);
    writeFileSync(join(restored.dataDir, 'postgres.location'), restored.cluster);
    const again = await start(t, { dataDir, fallbackDirs });
    await ask(again.url, 'update kept set value = 8 returning value');
    const copy = await start(t, { dataDir: restored.dataDir, fallbackDirs });
    expect(await ask(copy.url, 'select value from kept')).toBe(7);
    expect(await ask(again.url, 'select value from kept')).toBe(8);
  });

  test('a cluster that is gone is not silently replaced by an empty one', async t => {
    const { dataDir, fallbackDirs } = closed(t);
    await (await start(t, { dataDir, fallbackDirs })).stop();
    rmSync(fallbackDirs[0]!, { recursive: true });
    await expect(start(t, { dataDir, fallbackDirs })).rejects.toThrow(
      /^the database folder .* is gone; to start with an empty database remove .*postgres.location and .*postgres.id$/,
    );
  });

  test('a fallback folder that others can write to is not trusted', async t => {
    const { dataDir, fallbackDirs } = closed(t);
    const open = join(temporaryFolder(t), 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    await start(t, { dataDir, fallbackDirs: [open, ...fallbackDirs] });
    expect(readdirSync(open)).toEqual([]);
  });

  test('what the user can reach is asked of the kernel', t => {
    const { parent } = closed(t);
    expect(canUse(serverAccount(), 'x', parent)).toBe(false);
    expect(canUse(serverAccount(), 'rx', '/bin/sh')).toBe(true);
    expect(existsSync(parent)).toBe(true);
  });
});
