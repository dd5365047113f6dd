import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endOnSignal } from './cleanup.ts';
import { say } from './figures.ts';
import { type Usage, usageOf } from './usage.ts';

const main = fileURLToPath(new URL('../../src/main.js', import.meta.url));

// The program reads its version from the file that lies above its folder.
copyFileSync('package.json', new URL('../../package.json', import.meta.url));

/** The service in its own process, so that its usage can be measured. */
export type Service = {
  pid: number;
  apiPort: number;
  observerPort: number;
  metricsPort: number;
  usage(): Usage | undefined;
  stop(): Promise<void>;
};

/** Settings of every process under test: nothing of the caller's, any free port, JSON lines. */
function environment(dataDir: string, more: Record<string, string>): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TMPDIR: process.env.TMPDIR,
    NODE_ENV: 'production',
    CAIRN_DATA_DIR: dataDir,
    CAIRN_NETWORK: 'mainnet',
    CAIRN_API_PORT: '0',
    CAIRN_OBSERVER_PORT: '0',
    CAIRN_METRICS_PORT: '0',
    CAIRN_LOG_FORMAT: 'json',
    // As the packages set it.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '1048576',
    ...more,
  };
}

/** Flags of a service that collects its garbage when it gets SIGUSR2. */
export const collectsOnSignal = ['--expose-gc', '--import', new URL('./collect-on-signal.js', import.meta.url).href];

const nodeFlags = () => process.env.CAIRN_BENCH_NODE_FLAGS?.split(' ') ?? [];

/** Runs `cairn start` as an operator does; resolves when it is ready. */
export async function startService(
  dataDir: string,
  more: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<Service> {
  const child = spawn(process.execPath, [...nodeFlags(), ...flags, main, 'start'], {
    env: environment(dataDir, more),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  endWithUs(child);
  const { api, observer, metrics } = await announced(child);
  return {
    pid: child.pid!,
    apiPort: portOf(api),
    observerPort: portOf(observer),
    metricsPort: portOf(metrics),
    usage: () => usageOf(child.pid!),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** A bench that is interrupted leaves no process behind. */
function endWithUs(child: ChildProcess): void {
  const exited = once(child, 'exit');
  const forget = endOnSignal(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  void exited.then(forget);
}

const portOf = (address: string | undefined) => Number(/:(\d+)(\/|$)/.exec(address ?? '')?.[1]);

/** A process that only reads has no observer. */
type Addresses = { api: string; observer: string | undefined; metrics: string };

/** The log line with all addresses; earlier warnings are passed on. */
async function announced(child: ChildProcess): Promise<Addresses> {
  const lines = createInterface({ input: child.stdout! });
  let faults = 0;
  return await new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the service ended with code ${code} while starting`)));
    lines.on('line', text => {
      const { level, api, observer, metrics } = JSON.parse(text) as Partial<Addresses> & { level: number };
      if (api && metrics) resolve({ api, observer, metrics });
      else if (Number(level) >= 50 && ++faults <= 3) say(`${text.slice(0, 300)}${faults === 3 ? '\n…' : ''}`);
    });
  });
}

/** `cairn replay FILE` from start to exit. */
export const replay = (dataDir: string, file: string) => runCommand(dataDir, ['replay', file]);

/** One command of `cairn` from start to exit. */
export async function runCommand(
  dataDir: string,
  args: string[],
): Promise<{ seconds: number; usage: Usage | undefined }> {
  const started = performance.now();
  const child = spawn(process.execPath, [...nodeFlags(), main, ...args], {
    env: environment(dataDir, {}),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  endWithUs(child);
  let said = '';
  child.stderr!.on('data', chunk => {
    said = `${said}${chunk}`.slice(-2000);
  });
  let usage: Usage | undefined;
  const watch = setInterval(() => {
    usage = usageOf(child.pid!) ?? usage;
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`cairn ${args[0]} ended with code ${code}:\n${said}`);
  return { seconds: (performance.now() - started) / 1000, usage };
}
