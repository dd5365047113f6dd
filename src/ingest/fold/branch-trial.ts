import type { Pool } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';
import { eventById, type LoggedEvent } from '../log/event-reader.ts';
import { branchSteps } from '../tree/fork-choice.ts';
import type { FoldOptions } from './fold.ts';
import { isPassing, isTakenOver } from './fold-failure.ts';
import { FoldWriter } from './fold-writer.ts';
import type { BranchError } from './step.ts';
import { openWriter } from './writer-connection.ts';

type Options = Pick<FoldOptions, 'url' | 'network' | 'log' | 'schema'>;

/**
 * The block at which a branch fails, and why: longer and longer parts of it are tried, each in a transaction that ends in
 * nothing, until one fails by itself. The caller's writer is fenced off by this.
 */
export async function findBadBlock(
  sql: Pool,
  { eventIds, rollback }: BranchError,
  options: Options,
): Promise<{ event: LoggedEvent; reason: string } | undefined> {
  for (let length = 1; length <= eventIds.length; length++) {
    const reason = await tryBranch(sql, eventIds.slice(0, length), rollback, options);
    const event = reason === undefined ? undefined : await eventById(sql, eventIds[length - 1]!);
    if (event && reason !== undefined) return { event, reason };
  }
  return undefined;
}

/** Why blocks cannot be applied; undefined when they can. Nothing is changed. */
async function tryBranch(
  sql: Pool,
  eventIds: readonly bigint[],
  rollback: number | undefined,
  { url, network, log, schema }: Options,
): Promise<string | undefined> {
  const connection = await openWriter(url, 'cairn fold trial', schema);
  try {
    const writer = await FoldWriter.open({ sql, connection, network, log, quiet: true });
    const steps = await branchSteps(sql, eventIds);
    // A writer that nobody is: the last statement undoes all before it.
    const after = (flush: Flush) => flush.query('select fence($1::bigint, $2::bigint)', [-1, -1]);
    await writer.write(rollback === undefined ? { steps, after } : { steps, after, rollback });
    await writer.settled();
    return undefined;
  } catch (error) {
    if (isTakenOver(error)) return undefined;
    if (isPassing(error)) throw error;
    return error instanceof Error ? error.message : String(error);
  } finally {
    await connection.end();
  }
}
