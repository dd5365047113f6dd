import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bench } from './bench.mjs';
import { ensureBuilt } from './build.mjs';
import { check } from './check.mjs';
import { checkPackaging } from './check-packaging.mjs';
import { CommandError } from './error.mjs';
import { ensureExplorer } from './explorer.mjs';
import { ensureBrowser, ensureInstalled, ensureS3Server } from './install.mjs';
import { runTests } from './tests.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const commands = {
  start,
  test: args => test('test', args),
  'test:fast': args => test('test:fast', args),
  'test:long': args => test('test:long', args),
  check: checkAll,
  'check:packaging': packaging,
  build,
  prepack: build,
  bench: runBench,
  shots,
};

/** Runs one command of package.json in the root folder of the project. */
export async function runCommand(name, args) {
  const command = commands[name];
  if (!command) throw new CommandError(`Unknown command ${name}: expected one of ${Object.keys(commands).join(', ')}`);
  process.chdir(root);
  if (process.env.npm_lifecycle_event) endWithParent();
  await ensureInstalled(root);
  await command(args);
}

/**
 * npm sends a signal to the shell that started this process, and many shells exit without passing it on. This process
 * therefore stops when its parent is gone. A signal to the whole process group has already arrived here; a second one
 * would force an immediate stop.
 */
function endWithParent(parent = process.ppid) {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      clearInterval(watch);
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal); // no other handler exists
    });
  }
}

/** Runs the service in this process, so that it receives signals and sets the exit code. */
async function start(args) {
  await ensureBuilt(root);
  await ensureExplorer(root);
  const main = join(root, 'dist', 'main.js');
  process.argv = [process.argv[0], main, 'start', ...args];
  await import(main);
}

/** Fast tests need the packages alone, so that they run in seconds; long ones, which a folder may hold, a browser and an S3 server. */
async function test(tier, args) {
  const isShort = arg => !arg.startsWith('test/') || (arg.endsWith('.test.ts') && !arg.endsWith('.long.test.ts'));
  if (tier === 'test:long' || !args.every(isShort)) {
    await ensureBrowser(root);
    await ensureS3Server(root);
  }
  if (tier !== 'test:fast') {
    await ensureBuilt(root);
    await ensureExplorer(root);
  }
  process.exitCode = await runTests(root, tier, args);
}

async function checkAll(args) {
  await ensureBrowser(root); // the types of its driver
  await ensureBuilt(root);
  process.exitCode = await check(root, args);
}

async function packaging(args) {
  await ensureBuilt(root);
  await ensureExplorer(root);
  process.exitCode = await checkPackaging(root, args, runTests);
}

/** Unlike the other commands, fails on type errors. */
async function build() {
  await ensureBuilt(root, { types: true });
  await ensureExplorer(root);
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  console.error(`${name} ${version} is built: dist/, explorer/dist/`);
}

async function runBench(args) {
  await bench(root, args);
}

/** Takes the screenshots of the README from a running service. */
async function shots([url]) {
  await ensureBrowser(root);
  const { shoot } = await import('../shots.mjs');
  await shoot(url);
}
