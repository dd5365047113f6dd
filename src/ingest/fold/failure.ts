import type { Plan } from './plan.ts';

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** Another writer has moved the fence: this one must not write any more. */
export const isFenced = (error: unknown): boolean => codeOf(error) === 'CAIRN';

/** What the driver says of a connection that ended under a statement: these errors have no code. */
const ended = /^Connection terminated|^Client (was closed|has encountered a connection error)/;

/** A lost connection, a full disk, a server that stops, a writer that took over: the same event may pass later. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  if (typeof code !== 'string') return error instanceof Error && ended.test(error.message);
  return /^(08|40|53|57|58)|^CAIRN$|^E[A-Z]{4,}|^CONNECTION/.test(code);
}

/** A plan that applies blocks of the log could not be written. */
export class BranchError extends Error {
  override name = 'BranchError';
  readonly plan: Plan;
  /** Of the cause, where it has one. */
  readonly code: unknown;

  constructor(plan: Plan, cause: unknown) {
    super(messageOf(cause), { cause });
    this.plan = plan;
    this.code = codeOf(cause);
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
