import type { Network } from '@cairn-stacks/codec/network';
import type { Pool } from '../../db/client.ts';
import { messageOf } from '../../errors.ts';
import { eventById, type LoggedEvent } from '../log/event-reader.ts';
import { isFenced, isTransient } from './failure.ts';
import type { FoldLog } from './fold-log.ts';
import type { Plan } from './plan.ts';
import { FoldWriter } from './writer.ts';
import { openWriter } from './writer-connection.ts';

export type TrialOptions = { url: string; network: Network; log: FoldLog; schema?: string | undefined };

/** A block that cannot be written, and why. */
export type BadBlock = { event: LoggedEvent; reason: string };

/**
 * The block at which a branch fails: longer and longer parts of it are tried, each in a transaction that is undone, until
 * one fails by itself. The caller's writer is fenced off by this.
 */
export async function findBadBlock(
  sql: Pool,
  { branch = [], rollback }: Plan,
  options: TrialOptions,
): Promise<BadBlock | undefined> {
  for (let length = 1; length <= branch.length; length++) {
    const part = { branch: branch.slice(0, length), steps: [], ...(rollback !== undefined && { rollback }) };
    const reason = await tryPlan(sql, part, options);
    const event = reason === undefined ? undefined : await eventById(sql, branch[length - 1]!);
    if (event && reason !== undefined) return { event, reason };
  }
  return undefined;
}

/** Why a plan cannot be written; undefined when it can. Nothing is changed. */
async function tryPlan(
  sql: Pool,
  plan: Plan,
  { url, network, log, schema }: TrialOptions,
): Promise<string | undefined> {
  const connection = await openWriter(url, 'cairn fold trial', schema);
  try {
    const writer = await FoldWriter.open({ sql, connection, network, log, quiet: true, trial: true });
    await writer.write(plan);
    await writer.settled();
    return undefined;
  } catch (error) {
    if (isFenced(error)) return undefined;
    if (isTransient(error)) throw error;
    return messageOf(error);
  } finally {
    await connection.end();
  }
}
