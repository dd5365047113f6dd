import { codeOf, isTemporary } from '../../db/database-error.ts';
import { messageOf } from '../../errors.ts';
import type { Plan } from './plan.ts';

/** Another writer has moved the fence: this one must not write any more. */
export const isFenced = (error: unknown): boolean => codeOf(error) === 'CAIRN';

/** Whether an event that failed with this error may pass later. */
export const isTransient = (error: unknown): boolean => isFenced(error) || isTemporary(error);

/** A plan that applies blocks of the log could not be written. */
export class BranchError extends Error {
  override name = 'BranchError';
  readonly plan: Plan;
  /** Of the cause, where it has one. */
  readonly code: string;

  constructor(plan: Plan, cause: unknown) {
    super(messageOf(cause), { cause });
    this.plan = plan;
    this.code = codeOf(cause);
  }
}
