/** The connection under a statement was lost; whether the server ran the statement is not known. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
  readonly code = 'CONNECTION_LOST';
}

/** The pool was closed before the statement was sent. */
export class PoolEnded extends Error {
  override name = 'PoolEnded';
  readonly code = 'CONNECTION_ENDED';

  constructor() {
    super('the connections to the database are closed');
  }
}

/** No answer in time, whatever the server did meanwhile. */
export class StatementTimeout extends Error {
  override name = 'StatementTimeout';
  readonly code = 'CONNECTION_TIMEOUT';

  constructor(ms: number) {
    super(`the database gave no answer within ${ms} ms`);
  }
}

/** Given up by whoever asked. */
export class StatementCancelled extends Error {
  override name = 'StatementCancelled';
  /** As the server says it: query_canceled. */
  readonly code = '57014';

  constructor() {
    super('the statement was cancelled before it was sent');
  }
}

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
};

/** Errors of `pg` about a connection that ended have no code. */
const ENDED = /^Connection terminated|^Client (was closed|has encountered a connection error)|^timeout expired/;
const LOST = /^(08|57P0[1-5]|E[A-Z]{3,}|EAI_|CONNECTION_LOST)/;
/** serialization_failure, which a replica also says when it had to choose between a reader and its primary; deadlock_detected. */
const CONFLICT = /^(40001|40P01)$/;

/** True when the connection went away under the statement, through no fault of its own. */
export const isConnectionLost = (error: unknown): boolean =>
  LOST.test(codeOf(error)) || (error instanceof Error && codeOf(error) === '' && ENDED.test(error.message));

/** True when the server gave up the statement for another one: the same question may be asked again. */
export const isConflict = (error: unknown): boolean => CONFLICT.test(codeOf(error));

/** True when somebody ended the connection by a command: another one can be had at once. */
export const isTerminated = (error: unknown): boolean => codeOf(error) === '57P01';

const ENDED_WHILE_OPENING = /^(CONNECTION_LOST|ECONNRESET|EPIPE)$/;

/** True when a connection was accepted and ended before it was open: the next one may fare better. */
export const isEndedWhileOpening = (error: unknown): boolean => ENDED_WHILE_OPENING.test(codeOf(error));

/**
 * True when a prepared statement of the connection is no longer what it was: its table has changed, or the server does not
 * know it (any more). The statement itself was not run.
 */
export const isStalePreparation = (error: unknown): boolean => {
  const code = codeOf(error);
  if (code === '26000' || code === '42P05') return true;
  return code === '0A000' && error instanceof Error && error.message.includes('cached plan');
};
