import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The scripts are plain JavaScript, which has no types.
const { planRelease, releaseChangelog } = (await import(`${'../../scripts/release.mjs'}`)) as {
  planRelease(
    version: string,
    files: Record<string, string>,
    date: string,
  ): {
    files: Record<'package.json' | 'packages/devnet/package.json' | 'package-lock.json' | 'CHANGELOG.md', string>;
    commands: string[][];
  };
  releaseChangelog(text: string, version: string, date: string): string;
};
const { bundledPackages } = (await import(`${'../../scripts/third-party-notices.mjs'}`)) as {
  bundledPackages(): string[];
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifests = [
  'package.json',
  'packages/codec/package.json',
  'packages/devnet/package.json',
  'explorer/package.json',
];
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const run = promisify(execFile);
const { name, version } = JSON.parse(read('package.json')) as { name: string; version: string };
const folder = mkdtempSync(join(tmpdir(), 'cairn-package-'));
const installed = join(folder, 'node_modules', name);

/** Installs the packed package into an empty folder, with its dependencies and no others of this project. */
beforeAll(async () => {
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, `${name}-${version}.tgz`), '-C', installed, '--strip-components=1']);
  type Entry = { dev?: boolean; link?: boolean };
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };
  for (const [path, { dev, link }] of Object.entries(packages)) {
    const isTop = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path);
    if (!isTop || dev || link || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, path));
  }
  const bin = join(folder, 'node_modules', '.bin');
  mkdirSync(bin);
  // As npm does with every command of a package.
  chmodSync(join(installed, 'dist', 'main.js'), 0o755);
  symlinkSync(join('..', name, 'dist', 'main.js'), join(bin, 'cairn'));
  // Run by root, the embedded server changes to a user without rights.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'package.json'), '{"name":"empty","private":true,"type":"module"}');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package has what a user needs, and nothing of the workshop', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    private?: boolean;
    license: string;
    exports: Record<string, string | Record<string, string>>;
    bin: Record<string, string>;
  };
  const { private: hidden, license, exports, bin } = manifest;
  expect([hidden, license]).toEqual([undefined, 'Apache-2.0']);
  const named = [...Object.values(exports), bin].flatMap(entry =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  );
  const files = [
    ...named,
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'THIRD-PARTY-NOTICES.txt',
    'explorer/dist/index.html',
  ];
  for (const file of files) expect([file, existsSync(join(installed, file))]).toEqual([file, true]);
  for (const file of ['codec', 'devnet'].map(each => `node_modules/@cairn-stacks/${each}/dist/index.js`)) {
    expect([file, existsSync(join(installed, file))]).toEqual([file, true]);
  }
  for (const file of ['src', 'packages', 'test', 'bench', 'dist/main.js.map', 'dist/.stamp']) {
    expect([file, existsSync(join(installed, file))]).toEqual([file, false]);
  }
});

test('the notices name every package that is bundled into the explorer', () => {
  const notices = read('THIRD-PARTY-NOTICES.txt');
  const bundled = bundledPackages();
  expect(bundled).toContain('preact');
  for (const each of bundled) expect([each, notices.includes(`\n${each} `)]).toEqual([each, true]);
});

test('npx starts the service from an empty folder, and the explorer is there', async t => {
  const ports = ['API', 'OBSERVER', 'METRICS', 'DEVNET'].map(part => [`CAIRN_${part}_PORT`, '0']);
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, npm_config_offline: 'true', npm_config_update_notifier: 'false' },
    ...{ CAIRN_DATA_DIR: join(folder, 'data'), CAIRN_LOG_FORMAT: 'json', ...Object.fromEntries(ports) },
  };
  const child = spawn('npx', ['--no-install', name, 'start'], { cwd: folder, env, detached: true });
  t.onTestFinished(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(-child.pid!, 'SIGTERM');
    await ended;
  });
  let output = '';
  const api = await new Promise<string>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`it ended with code ${code}: ${output}`)));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const ready = output.split('\n').find(line => line.includes('"ready on ') && line.endsWith('}'));
        if (ready) resolve(JSON.parse(ready).api);
      });
    }
  });
  expect(await (await fetch(`${api}/extended`)).json()).toMatchObject({
    server_version: expect.stringContaining(version),
  });
  const page = await fetch(`${api}/`, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')]);
});

test('the entries of the package can be imported', async () => {
  const script = `
    const { startDevnet } = await import('${name}/devnet');
    const { default: manifest } = await import('${name}/package.json', { with: { type: 'json' } });
    console.log(typeof startDevnet, manifest.version);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  expect(stdout).toBe(`function ${version}\n`);
});

test('an installation takes at most 140 MB', () => {
  const modules = readdirSync(join(folder, 'node_modules')).flatMap(each =>
    each.startsWith('@') ? readdirSync(join(folder, 'node_modules', each)).map(own => join(each, own)) : [each],
  );
  const sizes = modules
    // npm does not install a second time what the package brings itself.
    .filter(each => each !== '.bin' && !existsSync(join(installed, 'node_modules', each)))
    .map(each => [each, diskBytes(realpathSync(join(folder, 'node_modules', each)))] as const)
    .sort(([, a], [, b]) => b - a);
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  const largest = sizes.slice(0, 5);
  expect([total <= 140 << 20, ...largest]).toEqual([true, ...largest]);
  // Else most of it was not found.
  expect(total).toBeGreaterThan(100 << 20);
});

/** Bytes on the disk, as `du` counts them. */
const diskBytes = (path: string): number =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map(each => lstatSync(join(path, each)).blocks * 512)
    .reduce((sum, bytes) => sum + bytes, 0);

test('the S3 client is optional: without it a bucket is refused with the command that installs it', async () => {
  const listing = run(process.execPath, [join(installed, 'dist', 'main.js'), 'snapshot', 'list', 's3://backups'], {
    cwd: folder,
  });
  await expect(listing).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('s3://backups needs an optional package: npm install @aws-sdk/client-s3@3'),
  });
});

test('the types of the entry for tests are complete', async () => {
  writeFileSync(
    join(folder, 'consumer.ts'),
    `import { startDevnet, type Devnet, type UserAccount } from '${name}/devnet';
     export const addressOf = (devnet: Devnet, name: string): string => devnet.account(name).address;
     export const start = async (accounts: readonly UserAccount[]): Promise<Devnet> =>
       await startDevnet({ accounts: accounts.map(({ privateKey }) => privateKey) });
     // @ts-expect-error: a seed is a number
     await startDevnet({ seed: 'one' });`,
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  expect((await run(tsc, [...options, 'consumer.ts'], { cwd: folder })).stderr).toBe('');
});

test('a release plans version, changelog, tag and provenance, and refuses what is not a release', () => {
  const files = Object.fromEntries([...manifests, 'package-lock.json', 'CHANGELOG.md'].map(file => [file, read(file)]));
  const plan = planRelease('9.1.0', files, '2030-01-02');
  expect(JSON.parse(plan.files['package.json'])).toMatchObject({ name, version: '9.1.0' });
  expect(JSON.parse(plan.files['package-lock.json'])).toMatchObject({
    version: '9.1.0',
    packages: {
      '': { version: '9.1.0', dependencies: { '@cairn-stacks/codec': '9.1.0' } },
      'packages/devnet': { version: '9.1.0' },
    },
  });
  expect(JSON.parse(plan.files['packages/devnet/package.json'])).toMatchObject({
    version: '9.1.0',
    dependencies: { '@cairn-stacks/codec': '9.1.0' },
  });
  expect(plan.files['CHANGELOG.md']).toContain('## [Unreleased]\n\n## [9.1.0] - 2030-01-02\n');
  const lines = plan.commands.map((command: string[]) => command.join(' '));
  expect(lines).toContain('npm publish --provenance --access public --tag latest');
  expect(lines).toContain('node scripts/release-data.mjs 9.1.0');
  expect(lines).toContain('git tag --annotate v9.1.0 --message Version 9.1.0');
  expect(planRelease('9.1.0-rc.1', files, '').commands.flat()).toContain('rc');
  for (const wrong of ['0.0.1', version, 'v9.1.0', '9.1'])
    expect(() => planRelease(wrong, files, '')).toThrow(/is not/);
  expect(() => releaseChangelog('# Changelog\n\n## [Unreleased]\n\n## [0.1.0]\n', '1.0.0', '')).toThrow(/nothing/);
});

test('the release script changes nothing by default', async () => {
  const before = read('package.json');
  const { stdout } = await run(process.execPath, ['scripts/release.mjs', '9.1.0'], { cwd: root });
  expect(stdout).toContain('nothing was changed');
  expect(read('package.json')).toBe(before);
});
