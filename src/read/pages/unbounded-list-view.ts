import { badRequest } from '../../errors.ts';
import { UnboundedList } from './unbounded-list-queries.ts';

/** Refuses a page that would take unbounded work, with what to request instead. */
export function refuseUnbounded(error: unknown): never {
  throw error instanceof UnboundedList ? badRequest(error.message) : error;
}
