import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bench } from './bench.mjs';
import { ensureBuilt } from './build.mjs';
import { check } from './check.mjs';
import { DoorError } from './error.mjs';
import { ensureInstalled } from './install.mjs';
import { runTests } from './tests.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const commands = { start, test, check: checkAll, build, bench: runBench };

/** Runs one command of package.json from the root of the project, wherever it was called. */
export async function runCommand(name, args) {
  const command = commands[name];
  if (!command) throw new DoorError(`Unknown command ${name}: expected one of ${Object.keys(commands).join(', ')}`);
  process.chdir(root);
  if (process.env.npm_lifecycle_event) endWithParent();
  await ensureInstalled(root);
  await command(args);
}

/**
 * npm passes a signal to the shell between us, and many shells die of it without a word: then it was meant for us. A
 * signal to the whole process group has reached us already; a second one would mean "at once".
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
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal); // nobody else has taken it over
    });
  }
}

/** In this process: a signal reaches the service itself, and its exit code is ours. */
async function start(args) {
  await ensureBuilt(root);
  const main = join(root, 'dist', 'main.js');
  process.argv = [process.argv[0], main, 'start', ...args];
  await import(main);
}

async function test(args) {
  await ensureBuilt(root);
  process.exitCode = await runTests(root, args);
}

async function checkAll(args) {
  await ensureBuilt(root);
  process.exitCode = await check(root, args);
}

/** Unlike the other commands, refuses type errors. */
async function build() {
  await ensureBuilt(root, { types: true });
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  console.error(`${name} ${version} is built: dist/`);
}

async function runBench(args) {
  await bench(root, args);
}
