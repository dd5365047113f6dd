import { expect, vi } from 'vitest';
import { runCli } from '../../src/commands/cli.ts';

/** What a command line that succeeds prints, without a process of its own. */
export async function printedBy(...args: string[]): Promise<string> {
  const texts: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(text => texts.push(String(text)) > 0);
  try {
    expect(await runCli(args, {})).toBe(0);
  } finally {
    write.mockRestore();
  }
  return texts.join('');
}
