import { copyFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { endOnSignal } from './support/cleanup.ts';
import { ClusterBed } from './support/cluster/cluster-bed.ts';
import { type ClusterFault, faults, lossyPromotion, rollingUpgrade } from './support/cluster/cluster-faults.ts';
import { round, say } from './support/figures.ts';

const program = fileURLToPath(new URL('../src/main.js', import.meta.url));

export const usage = {
  options: '[--rate 200] [--only NAME] [--seed S] [--previous MAIN.JS]',
  about:
    'Faults of a cluster (two observers, two API processes, a primary with two standbys) under steady reads and writes. Every ' +
    'response is checked, clients send back the height that they have seen, and every acknowledged block must be there once. ' +
    '--previous names the compiled program of the previous release, for a rolling upgrade.',
};

type Result = {
  fault: string;
  lost: number;
  doubled: number;
  wrong: number;
  older: number;
  errorSeconds: number;
  limitSeconds: number;
  settled: boolean;
};

export async function run(args: string[]): Promise<Record<string, number>> {
  const { values } = parseArgs({
    args,
    options: {
      rate: { type: 'string', default: '200' },
      only: { type: 'string' },
      seed: { type: 'string', default: '1' },
      previous: { type: 'string' },
    },
  });
  // The program reads its version from the file that lies above its folder.
  copyFileSync('package.json', new URL('../package.json', import.meta.url));
  const wanted = (fault: ClusterFault) => values.only === undefined || fault.name.includes(values.only);
  const options = { perSecond: Number(values.rate), seed: Number(values.seed) };
  say(`${availableParallelism()} processors, ${values.rate} requests/s`);
  const plans = [
    { synchronous: true, first: program, faults: faults.filter(wanted) },
    { synchronous: false, first: program, faults: [lossyPromotion].filter(wanted) },
    ...(values.previous === undefined
      ? []
      : [{ synchronous: false, first: values.previous, oneHost: true, faults: [rollingUpgrade].filter(wanted) }]),
  ];
  if (values.previous === undefined) say('without --previous there is no rolling upgrade');
  const results: Result[] = [];
  for (const plan of plans) {
    if (plan.faults.length === 0) continue;
    const { synchronous, first } = plan;
    const oneHost = 'oneHost' in plan;
    say(`starting a cluster with ${synchronous ? 'synchronous' : 'asynchronous'} standbys`);
    const bed = await ClusterBed.open({ ...options, program: first, synchronous, oneHost });
    const forget = endOnSignal(() => bed.close());
    try {
      for (const fault of plan.faults) {
        const result = await runFault(bed, fault);
        results.push(result);
        say(describe(result));
        if (isBad(result)) for (const line of [...bed.reads.problems, ...bed.warnings]) say(`  ${line.slice(0, 400)}`);
      }
    } finally {
      forget();
      await bed.close();
    }
  }
  return figuresOf(results);
}

async function runFault(bed: ClusterBed, fault: ClusterFault): Promise<Result> {
  await bed.settled();
  const since = Date.now();
  const before = { wrong: bed.reads.wrong, older: bed.reads.olderThanSeen };
  await fault.inject(bed, program);
  const settled = await bed.settled();
  const { lost, doubled } = await bed.compare();
  return {
    fault: fault.name,
    lost,
    doubled,
    wrong: bed.reads.wrong - before.wrong,
    older: bed.reads.olderThanSeen - before.older,
    errorSeconds: bed.reads.errorSeconds(since),
    limitSeconds: fault.limitSeconds,
    settled,
  };
}

const isBad = ({ lost, doubled, wrong, older, errorSeconds, limitSeconds, settled }: Result) =>
  lost + doubled + wrong + older > 0 || errorSeconds > limitSeconds || !settled;

const describe = ({ fault, lost, doubled, wrong, older, errorSeconds, settled }: Result) =>
  `${fault}: lost ${lost}, doubled ${doubled}, wrong ${wrong}, older than seen ${older}, errors ${errorSeconds.toFixed(1)} s` +
  (settled ? '' : ', did not recover');

function figuresOf(results: readonly Result[]): Record<string, number> {
  const sum = (pick: (result: Result) => number) => results.reduce((total, result) => total + pick(result), 0);
  const failed = results.filter(isBad).length;
  if (failed > 0) process.exitCode = 1;
  return {
    faults: results.length,
    survived: results.length - failed,
    lost: sum(({ lost }) => lost),
    doubled: sum(({ doubled }) => doubled),
    wrong: sum(({ wrong }) => wrong),
    older_than_seen: sum(({ older }) => older),
    error_s: round(results.reduce((most, { errorSeconds }) => Math.max(most, errorSeconds), 0)),
  };
}
