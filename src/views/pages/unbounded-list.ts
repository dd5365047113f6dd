import { badRequest } from '../../errors.ts';
import { UnboundedList } from '../../queries/pages/unbounded-list.ts';

/** Refuses a page that would take unbounded work, with what to ask for instead. */
export function refuseUnbounded(error: unknown): never {
  throw error instanceof UnboundedList ? badRequest(error.message) : error;
}
