import type { FaultBed } from './fault-bed.ts';
import type { Fault } from './fault-kinds.ts';
import type { BadRead } from './steady-reads.ts';

/** The effect of one fault on the service. */
export type FaultResult = {
  fault: string;
  /** Seconds after the database was back until reads were right again. */
  recoverSeconds: number;
  /** Seconds until a block that was posted then was shown. */
  writeSeconds: number;
  /** Responses that did not match the request. */
  wrong: BadRead[];
  /** Requests that outlived their deadline. */
  hung: BadRead[];
  hungPosts: number;
  /** Processes of the service that ended. */
  ended: number;
  /** Correct and rejected reads during the fault. */
  right: number;
  refused: number;
};

/** Lets one fault happen under steady reads and writes, and watches until all is well again. */
export async function runFault(bed: FaultBed, fault: Fault): Promise<FaultResult> {
  await bed.calm();
  const before = { right: bed.reads.right, bad: bed.reads.bad.length, hungPosts: bed.writes.hung };
  const back = await fault.inject(bed);
  const recoverSeconds = await bed.reads.recovered(back, bed.patienceMs);
  const ended = await bed.replaceEnded();
  await bed.caughtUp();
  const writeSeconds = (Date.now() - back) / 1000;
  const bad = bed.reads.bad.slice(before.bad);
  return {
    fault: fault.name,
    recoverSeconds,
    writeSeconds,
    wrong: bad.filter(({ kind }) => kind === 'wrong'),
    hung: bad.filter(({ kind }) => kind === 'hung'),
    hungPosts: bed.writes.hung - before.hungPosts,
    ended,
    right: bed.reads.right - before.right,
    refused: bad.length,
  };
}

/** One line of text for the terminal. */
export function describeResult(layout: string, result: FaultResult): string {
  const { fault, recoverSeconds, writeSeconds, wrong, hung, hungPosts, ended, right, refused } = result;
  const counts = `wrong ${wrong.length}, hung ${hung.length + hungPosts}, ended ${ended}, right ${right}, refused ${refused}`;
  return `${layout} ${fault}: reads after ${recoverSeconds.toFixed(2)} s, writes after ${writeSeconds.toFixed(2)} s, ${counts}`;
}
