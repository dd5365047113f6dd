import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'dist', 'main.js');

type Ending = { onTestFinished(work: () => Promise<void>): void };

export type RunningService = {
  child: ChildProcess;
  addresses: { api?: string; observer?: string; metrics?: string };
  /** All lines that it has logged. */
  lines(): { level: number; msg: string; err?: unknown }[];
  dataDir: string;
};

const load = (name: string) => import(join(root, 'scripts', 'run', `${name}.mjs`));

/** Makes sure that the program is built from the sources that are tested, as `npm test` does. */
export async function build(): Promise<void> {
  await (await load('build')).ensureBuilt(root);
  await (await load('explorer')).ensureExplorer(root);
}

/** The service in a process of its own, as `npm start` runs it, on any free ports and with a folder of its own. */
export async function startService(t: Ending, settings: Record<string, string> = {}): Promise<RunningService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-service-'));
  chmodSync(dataDir, 0o755);
  const ports = Object.fromEntries(
    ['CAIRN_API_PORT', 'CAIRN_OBSERVER_PORT', 'CAIRN_METRICS_PORT', 'CAIRN_DEVNET_PORT'].map(name => [name, '0']),
  );
  const env = { PATH: process.env.PATH, CAIRN_DATA_DIR: dataDir, CAIRN_LOG_FORMAT: 'json', ...ports, ...settings };
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(dataDir, { recursive: true, force: true });
  });
  let output = '';
  const lines = () => output.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const addresses = await new Promise<RunningService['addresses']>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the service ended with code ${code}: ${output}`)));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (!text.includes('\n')) return;
        const ready = output.split('\n').find(line => line.includes('"ready on '));
        if (ready) resolve(JSON.parse(ready));
      });
    }
  });
  return { child, addresses, lines, dataDir };
}
