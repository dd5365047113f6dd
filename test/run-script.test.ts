import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, type TestContext, test } from 'vitest';
import { measuredFiles, orderLongFiles } from './support/long-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const load = (name: string) => import(join(root, 'scripts', 'run', `${name}.mjs`));
const { inputHash } = await load('build');
const { matchesLock, npmCache } = await load('install');
const { withLock } = await load('lock');
const { closingCounts, closingLines } = await load('tests');
const { renderFigures } = await load('bench');
const { makeMemoryFolder } = await load('memory-folder');

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-run-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A small project with our scripts, our packages and a program of a few lines. */
function project(t: TestContext, files: Record<string, string> = {}): string {
  const folder = temporaryFolder(t);
  const copied = ['scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true });
  cpSync(join(root, 'bench', 'tsconfig.json'), join(folder, 'bench', 'tsconfig.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const main = `
    import { readFileSync } from 'node:fs';
    const query: string = readFileSync(new URL('./db/one.sql', import.meta.url), 'utf8');
    if (process.argv.includes('--wait')) {
      const timer = setInterval(() => {}, 1000);
      process.on('SIGTERM', () => {
        console.log('"stopped"'); // twice if signalled twice
        setTimeout(() => { clearInterval(timer); process.exitCode = 3; }, 600);
      });
    }
    console.log(JSON.stringify({ args: process.argv.slice(2), query }));
  `;
  for (const [name, text] of Object.entries({ 'src/main.ts': main, 'src/db/one.sql': 'select 1', ...files })) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

type Result = { code: number; stdout: string; stderr: string };

async function runScript(folder: string, ...args: string[]): Promise<Result> {
  try {
    const output = await promisify(execFile)(process.execPath, [join(folder, 'scripts', 'run.mjs'), ...args], {
      env: { ...process.env, VITEST: '', NODE_OPTIONS: '' },
    });
    return { code: 0, ...output };
  } catch (error) {
    return error as Result;
  }
}

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)!;

test('start builds the first time only, and again when a file changes or goes', async t => {
  const folder = project(t, { 'src/extra.ts': 'export const extra = 1;' });
  const first = await runScript(folder, 'start', '--flag', 'value');
  expect(first.stderr).toBe('Building dist…\n');
  expect(JSON.parse(first.stdout)).toEqual({ args: ['start', '--flag', 'value'], query: 'select 1' });
  expect((await runScript(folder, 'start')).stderr).toBe('');
  writeFileSync(join(folder, 'src', 'db', 'one.sql'), 'select 2');
  expect(JSON.parse((await runScript(folder, 'start')).stdout).query).toBe('select 2');
  rmSync(join(folder, 'src', 'extra.ts'));
  expect((await runScript(folder, 'start')).stderr).toBe('Building dist…\n');
  expect(existsSync(join(folder, 'dist', 'extra.js'))).toBe(false);
});

test('two commands at once in one folder take turns', async t => {
  const folder = project(t);
  const results = await Promise.all([runScript(folder, 'start', 'one'), runScript(folder, 'start', 'two')]);
  expect(results.map(({ code, stdout }) => [code, JSON.parse(stdout).args[1]])).toEqual([
    [0, 'one'],
    [0, 'two'],
  ]);
  expect(results.map(({ stderr }) => stderr).join('')).toContain('Building dist…');
  expect(existsSync(join(folder, '.run', 'lock'))).toBe(false);
});

test('a signal to the process group stops the service in its own way', async t => {
  const folder = project(t);
  const direct = startWaiting(folder, 'exec node');
  const exit = once(direct.shell, 'exit');
  await direct.lines.next();
  process.kill(-direct.shell.pid!, 'SIGTERM');
  expect((await direct.lines.next()).value).toBe('"stopped"');
  expect(await exit).toEqual([3, null]);
});

test('a signal that npm passes to the shell between reaches the service, once', async t => {
  const folder = project(t);
  const { shell, lines } = startWaiting(folder, 'true; node');
  await lines.next();
  shell.kill('SIGTERM');
  expect([await lines.next(), await lines.next()]).toEqual([{ value: '"stopped"', done: false }, { done: true }]);
  const group = startWaiting(folder, 'true; node');
  await group.lines.next();
  process.kill(-group.shell.pid!, 'SIGTERM');
  expect([await group.lines.next(), await group.lines.next()]).toEqual([
    { value: '"stopped"', done: false },
    { done: true },
  ]);
});

/** As npm does it, with a shell between that may or may not become the command. */
function startWaiting(folder: string, node: string) {
  const shell: ChildProcess = spawn(
    '/bin/sh',
    ['-c', `${node} scripts/run.mjs start --wait${node.startsWith('exec') ? '' : '; true'}`],
    {
      cwd: folder,
      env: { ...process.env, npm_lifecycle_event: 'start' },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  return { shell, lines: createInterface(shell.stdout!)[Symbol.asyncIterator]() };
}

test('build refuses type errors, start leaves them to check', async t => {
  const folder = project(t, { 'src/wrong.ts': 'export const wrong: number = "text";' });
  expect((await runScript(folder, 'start')).code).toBe(0);
  const built = await runScript(folder, 'build');
  expect(built.code).toBe(1);
  expect(built.stderr).toContain('The build failed: see the errors above');
});

/** A project with the tiers of ours: fast files, and long ones by their name. */
function tieredProject(t: TestContext, files: Record<string, string>): string {
  const config = `const files = ['test/**/*.test.ts'], long = ['test/**/*.long.test.ts'];
    const runner = './test/support/time-box.ts';
    export default { test: { projects: [
      { test: { name: 'fast', include: files, exclude: long } },
      { test: { name: 'long', include: long, maxWorkers: 1, isolate: false, runner } },
    ] } };`;
  const runner = ['test/support/time-box.ts', 'test/support/long-files.ts'];
  const copied = runner.map(path => [path, readFileSync(join(root, path), 'utf8')] as const);
  return project(t, { 'vitest.config.ts': config, ...Object.fromEntries(copied), ...files });
}

test('tests end with a plain line of counts, and files that cannot be loaded count as failed', async t => {
  const folder = tieredProject(t, {
    'test/some.test.ts': `import { expect, test } from 'vitest';
      test('one', () => {}); test('two', () => {}); test('three', () => { expect(1).toBe(2); });
      test('four', t => t.skip('there is no recording'));`,
    'test/broken.test.ts': `import './missing.ts';`,
    'test/some.long.test.ts': `import { test } from 'vitest'; test('long', () => {});`,
  });
  const all = await runScript(folder, 'test');
  expect([all.code, lastLine(all.stdout)]).toEqual([1, '2 passed, 2 failed, 1 skipped']);
  expect(all.stdout).toMatch(/Slowest files:\n +\d+\.\d s {2}test\//);
  expect(all.stdout).toContain('Skipped:\n       1  there is no recording\n');
  const some = await runScript(folder, 'test', 'test/some.test', '-t', 'one');
  expect([some.code, lastLine(some.stdout)]).toEqual([0, '1 passed, 0 failed']);
  const long = await runScript(folder, 'test:long');
  expect([long.code, lastLine(long.stdout)]).toEqual([0, '1 passed, 0 failed']);
});

test('a time box gives up what runs when it ends, and names it with what has not begun', async t => {
  const folder = tieredProject(t, {
    'test/a.long.test.ts': `import { expect, test } from 'vitest';
      test('ends in time', () => { process.env.CAIRN_TEST_END = String(Date.now() + 100); });
      test('hangs when the box ends', async t => {
        t.onTestFinished(() => console.log('and is cleaned up'));
        await new Promise(() => {});
      });
      test('has not begun', () => expect(1).toBe(2));`,
    'test/b.long.test.ts': `import { test } from 'vitest'; test('in a file that has not begun', () => {});`,
  });
  const { code, stdout } = await runScript(folder, 'test:long', '--minutes', '60');
  expect(stdout).toContain('and is cleaned up\n');
  expect(stdout).toContain('       3  the time box had ended\n');
  expect(stdout).toMatch(
    /Not run, or not to the end, because the 60 minutes had ended:\n {2}test\/[ab]\.long\.test\.ts\n {2}test/,
  );
  expect([code, lastLine(stdout)]).toEqual([0, '1 passed, 0 failed, 3 skipped']);
});

test('in a time box no file begins that usually takes longer', async t => {
  const file = `import { test } from 'vitest'; test('some', () => {});`;
  const folder = tieredProject(t, { 'test/recipes.long.test.ts': file, 'test/short.long.test.ts': file });
  const { stdout } = await runScript(folder, 'test:long', '--minutes', '3');
  expect(stdout).toContain(
    'because the 3 minutes had ended:\n  test/recipes.long.test.ts\n1 passed, 0 failed, 1 skipped\n',
  );
});

test('long files that hold invariants come first, the longest before the others; the rest takes turns from day to day', () => {
  const invariants = ['test/explorer/pages.long.test.ts', 'test/ingest/crash.long.test.ts'];
  const others = ['test/attach.long.test.ts', 'test/recipes.long.test.ts', 'test/unknown.long.test.ts'];
  const orders = [0, 1, 2, 3].map(day => orderLongFiles([...others, ...invariants.toReversed()], day));
  expect(orders.map(order => order.slice(0, 2))).toEqual(orders.map(() => invariants));
  expect(orders.map(order => order[2])).toEqual([...others, others[0]]);
  expect(orders.map(order => order.toSorted())).toEqual(orders.map(() => [...others, ...invariants].toSorted()));
  expect(measuredFiles.filter(file => !existsSync(join(root, file)))).toEqual([]);
});

test('a bench is listed, run, and closes with one JSON object', async t => {
  const folder = project(t, {
    'bench/demo.ts': `export const usage = { options: '[--size N]', about: 'Nothing much.' };
      export async function run(args: string[]): Promise<Record<string, number>> {
      console.log('working'); return { rows_per_s: 1234567.8, args: args.length }; }`,
  });
  expect((await runScript(folder, 'bench')).stdout).toContain('  demo\n');
  const help = await runScript(folder, 'bench', 'demo', '--help');
  expect(help.stdout).toBe('npm run bench -- demo [--size N] [--json]\n\nNothing much.\n');
  const json = await runScript(folder, 'bench', 'demo', 'x', 'y', '--json');
  expect(JSON.parse(lastLine(json.stdout))).toEqual({ rows_per_s: 1234567.8, args: 2 });
  expect((await runScript(folder, 'bench', 'other')).stderr).toBe('There is no bench other: there are demo\n');
});

test('an unknown command is answered with those that exist', async () => {
  const { code, stderr } = await runScript(root, 'dance');
  expect([code, stderr]).toEqual([
    1,
    'Unknown command dance: expected one of start, test, test:fast, test:long, check, check:packaging, build, prepack, bench, shots\n',
  ]);
});

test('an old Node.js is told which one is needed', async () => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.9' } });
    import(${JSON.stringify(join(root, 'scripts', 'run.mjs'))});`;
  await expect(promisify(execFile)(process.execPath, ['-e', pretend])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Cairn needs Node.js 20.19 or newer'),
  });
});

test('the build depends on contents, not on times', t => {
  const folder = project(t);
  const before = inputHash(folder, ['src']);
  utimesSync(join(folder, 'src', 'main.ts'), 1, 1);
  expect(inputHash(folder, ['src'])).toBe(before);
  writeFileSync(join(folder, 'tsconfig.json'), '{}');
  expect(inputHash(folder, ['src'])).not.toBe(before);
});

test('what npm installed is compared with the lock file', t => {
  const folder = temporaryFolder(t);
  const packages = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0', optional: true },
  };
  const installed = (found: object) => {
    mkdirSync(join(folder, 'node_modules', 'a'), { recursive: true });
    writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: found }));
    return matchesLock(folder);
  };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  expect(matchesLock(folder)).toBe(false);
  expect(installed({ 'node_modules/a': { version: '1.0.0' } })).toBe(true); // b is for another platform
  expect(installed({ 'node_modules/a': { version: '1.0.1' } })).toBe(false);
  expect(installed({ 'node_modules/b': { version: '2.0.0' } })).toBe(false);
  rmSync(join(folder, 'node_modules', 'a'), { recursive: true });
  writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
  expect(matchesLock(folder)).toBe(false);
});

test('temporary files of tests are in memory where it suffices, and those of dead runs go', t => {
  const at = temporaryFolder(t);
  const enough = { at, chosen: '', needed: { folder: 0, memory: 0 } };
  mkdirSync(join(at, 'cairn-tests-999999999'));
  mkdirSync(join(at, 'cairn-tests-1'));
  mkdirSync(join(at, 'of-others'));
  const folder = makeMemoryFolder(enough);
  expect(folder).toBe(join(at, `cairn-tests-${process.pid}`));
  expect(readdirSync(at).sort()).toEqual(['cairn-tests-1', `cairn-tests-${process.pid}`, 'of-others']);
  expect(makeMemoryFolder({ ...enough, needed: { folder: 0, memory: 2 ** 60 } })).toBeUndefined();
  expect(makeMemoryFolder({ ...enough, at: join(at, 'none') })).toBeUndefined();
  expect(makeMemoryFolder({ ...enough, chosen: '/tmp' })).toBeUndefined();
});

test('a home that cannot be written to gets a cache elsewhere', t => {
  const folder = temporaryFolder(t);
  expect(npmCache({ npm_config_cache: join(folder, 'cache') })).toEqual({});
  expect(statSync(join(folder, 'cache')).isDirectory()).toBe(true);
  expect(npmCache({ npm_config_cache: '/dev/null/cache' }).npm_config_cache).toContain(tmpdir());
});

test('the lock of a dead command is taken over, that of a living one is waited for', async t => {
  const lock = join(temporaryFolder(t), '.run', 'lock');
  mkdirSync(join(lock, '..'));
  writeFileSync(lock, '999999999 1');
  const said: string[] = [];
  const options = { log: (line: string) => said.push(line) };
  const order: string[] = [];
  const first = withLock(
    lock,
    async () => {
      await expect.poll(() => said.length).toBe(1);
      order.push('first');
    },
    options,
  );
  await withLock(lock, async () => order.push('second'), options);
  await first;
  expect(order).toEqual(['first', 'second']);
  expect(said).toEqual([`Waiting for another command in this folder (process ${process.pid})…`]);
  expect(existsSync(lock)).toBe(false);
});

test('a run that fails outside its tests has a failure', () => {
  expect(closingCounts({ passed: 3, failed: 0 }, 1)).toMatchObject({ passed: 3, failed: 1 });
  expect(closingCounts(undefined, 1)).toMatchObject({ passed: 0, failed: 1 });
  expect(closingCounts({ passed: 3, failed: 2 }, 1)).toMatchObject({ passed: 3, failed: 2 });
  const ended = { passed: 3, failed: 1, running: ['test/a.test.ts'], failures: ['test/a.test.ts > sums\n1 is not 2'] };
  const lines = [
    'Ended while they ran:',
    '  test/a.test.ts',
    'test/a.test.ts > sums\n1 is not 2',
    '3 passed, 1 failed',
  ];
  expect(closingLines(closingCounts(ended, 137), 1).slice(-4)).toEqual(lines);
});

test('figures are shown as a table', () => {
  expect(renderFigures({ rows_per_s: 1234567.8, ms: 0.125 })).toBe('rows_per_s  1,234,570\nms              0.125');
});

test('every command of package.json goes through scripts/run.mjs', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const [name, script] of Object.entries(scripts)) expect(script).toBe(`node scripts/run.mjs ${name}`);
});

test('the lock file has the builds of every platform: without them npm ci refuses it', async () => {
  const { completeLock, missingOptionals, platformOf } = await import(join(root, 'scripts', 'complete-lock.mjs'));
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  expect(missingOptionals(lock)).toEqual([]); // else run node scripts/complete-lock.mjs
  const partial = {
    packages: { '': {}, 'node_modules/a': { dev: true, optionalDependencies: { 'a-win32-x64': '1.0.0' } } },
  };
  expect(completeLock(partial).packages['node_modules/a-win32-x64']).toEqual({
    version: '1.0.0',
    cpu: ['x64'],
    os: ['win32'],
    dev: true,
    optional: true,
  });
  expect(platformOf('@a/binding-linux-arm-gnueabihf')).toEqual({ os: ['linux'], cpu: ['arm'], libc: ['glibc'] });
});
