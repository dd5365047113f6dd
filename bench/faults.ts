import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Random } from '@cairn-stacks/devnet/random';
import { endOnSignal } from './support/cleanup.ts';
import { FaultBed, type Layout, layouts } from './support/faults/fault-bed.ts';
import { type Fault, faults, longFreeze, shortFreeze } from './support/faults/fault-kinds.ts';
import { describeResult, type FaultResult, runFault } from './support/faults/fault-run.ts';
import { round, say } from './support/figures.ts';

const program = fileURLToPath(new URL('../src/main.js', import.meta.url));

/** Reads must be right so soon after the database is back. */
const recoverLimitSeconds = 5;

export const usage = {
  options: '[--faults N] [--minutes M] [--seed S] [--layout embedded|tcp|unix] [--only NAME]',
  about:
    'Faults of the database and of the way to it in random order, under steady reads and writes: every answer is held against ' +
    'what was asked, every acknowledged block must be there in the end.',
};

export async function run(args: string[]): Promise<Record<string, number>> {
  const { values } = parseArgs({
    args,
    options: {
      faults: { type: 'string', default: '30' },
      minutes: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      layout: { type: 'string' },
      only: { type: 'string' },
    },
  });
  // The program reads its version from the file that lies above its folder.
  copyFileSync('package.json', new URL('../package.json', import.meta.url));
  const used = layouts.filter(layout => values.layout === undefined || values.layout === layout);
  const end = Date.now() + Number(values.minutes) * 60_000;
  const random = new Random(Number(values.seed));
  const results: FaultResult[] = [];
  let lost = 0;
  for (const [i, layout] of used.entries()) {
    const share = Math.ceil((Number(values.faults) - results.length) / (used.length - i));
    const plan = planOf(layout, share, random, values.only);
    lost += await disturb(layout, plan, Number(values.seed), end, results);
  }
  return figuresOf(results, lost);
}

/** Faults of a layout in random order; one in ten is the long freeze. */
function planOf(layout: Layout, count: number, random: Random, only: string | undefined): Fault[] {
  const possible = [...faults, longFreeze].filter(
    fault => fault.layouts.includes(layout) && (only === undefined || fault.name.includes(only)),
  );
  if (possible.length === 0) return [];
  const often = possible.filter(fault => fault !== longFreeze);
  return Array.from({ length: count }, (_, i) => {
    if (i % 10 === 9 && possible.includes(longFreeze)) return longFreeze;
    return often[random.below(often.length)] ?? possible[0] ?? shortFreeze;
  });
}

/** Runs the plan on a bed of its own; resolves with how many acknowledged events were lost. */
async function disturb(layout: Layout, plan: Fault[], seed: number, end: number, results: FaultResult[]) {
  if (plan.length === 0) return 0;
  const bed = await FaultBed.open({ layout, program, seed });
  const forget = endOnSignal(() => bed.close());
  try {
    for (const fault of plan) {
      if (Date.now() > end) break;
      const result = await runFault(bed, fault);
      results.push(result);
      say(`${results.length} ${describeResult(layout, result)}`);
      for (const { path, kind, detail } of [...result.wrong, ...result.hung].slice(0, 3)) {
        say(`  ${kind} ${path} ${detail.slice(0, 200)}`);
      }
      if (isBad(result)) for (const line of bed.warnings.slice(-10)) say(`  ${line.slice(0, 400)}`);
    }
    const problems: string[] = [];
    const lost = await bed.countLost(problem => problems.push(problem));
    for (const problem of problems.slice(0, 3)) say(`  lost: ${problem}`);
    return lost;
  } finally {
    forget();
    await bed.close();
  }
}

const isBad = (result: FaultResult) =>
  result.wrong.length > 0 ||
  result.hung.length + result.hungPosts + result.ended > 0 ||
  result.recoverSeconds > recoverLimitSeconds;

function figuresOf(results: readonly FaultResult[], lost: number): Record<string, number> {
  const sum = (pick: (result: FaultResult) => number) => results.reduce((total, result) => total + pick(result), 0);
  const most = (pick: (result: FaultResult) => number) => results.reduce((worst, r) => Math.max(worst, pick(r)), 0);
  const figures = {
    faults: results.length,
    survived: results.filter(result => !isBad(result)).length,
    recover_s: round(most(({ recoverSeconds }) => recoverSeconds)),
    write_recover_s: round(most(({ writeSeconds }) => writeSeconds)),
    wrong: sum(({ wrong }) => wrong.length),
    lost,
    hung: sum(({ hung, hungPosts }) => hung.length + hungPosts),
    ended: sum(({ ended }) => ended),
    right: sum(({ right }) => right),
    refused: sum(({ refused }) => refused),
  };
  if (figures.survived < figures.faults || lost > 0) process.exitCode = 1;
  return figures;
}
