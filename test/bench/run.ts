import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A bench that hangs is told to end after the first time, and ended with what it started after the second. */
const [tellAfterMs, killAfterMs] = [240_000, 270_000];

/** Tests that benches run with these options, and close with their figures. */
export function testBenches(benches: Record<string, string[]>): void {
  test.for(Object.entries(benches))(
    '%s runs at its smallest size and closes with its figures',
    async ([name, options]) => {
      const args = ['scripts/run.mjs', 'bench', name, ...options, '--json'];
      const { code, stdout, stderr } = await runGroup(args);
      expect(code, `${args.join(' ')}\n${stderr.slice(-4000)}`).toBe(0);
      const figures = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Record<string, unknown>;
      expect(Object.keys(figures).length).toBeGreaterThan(0);
      expect(Object.values(figures).filter(value => typeof value !== 'number' || !Number.isFinite(value))).toEqual([]);
    },
  );
}

/** Runs Node.js in a process group of its own, which ends with it. */
async function runGroup(args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { ...process.env, VITEST: '', NODE_OPTIONS: '', CAIRN_TEST_END: '' };
  const child = spawn(process.execPath, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const closed = once(child, 'close');
  const telling = setTimeout(() => child.kill('SIGTERM'), tellAfterMs);
  const killing = setTimeout(() => endGroup(child.pid!), killAfterMs);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(telling);
  clearTimeout(killing);
  endGroup(child.pid!);
  await closed;
  return { code, ...output };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // nothing of it is left
  }
}
