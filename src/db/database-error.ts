/** The connection of a statement was lost; it is not known whether the server ran the statement. */
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

/** No response in time, whatever the server did meanwhile. */
export class StatementTimeout extends Error {
  override name = 'StatementTimeout';
  readonly code = 'CONNECTION_TIMEOUT';

  constructor(ms: number) {
    super(`the database did not respond within ${ms} ms`);
  }
}

const QUERY_CANCELED = '57014';

/** Cancelled by the caller. */
export class StatementCancelled extends Error {
  override name = 'StatementCancelled';
  readonly code = QUERY_CANCELED;

  constructor() {
    super('the statement was cancelled before it was sent');
  }
}

/** The code of an error; empty if it has none. */
export const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
};

/** Errors of `pg` about a connection that ended have no code. */
const ENDED = /^Connection terminated|^Client (was closed|has encountered a connection error)|^timeout expired/;
const LOST = /^(08|57P0[1-5]|E[A-Z]{3,}|EAI_|CONNECTION_LOST)/;
/** serialization_failure, which a replica also says when it had to choose between a reader and its primary; deadlock_detected. */
const CONFLICT = /^(40001|40P01)$/;

/** True if the connection was lost during the statement, independently of it. */
export const isConnectionLost = (error: unknown): boolean =>
  LOST.test(codeOf(error)) || (error instanceof Error && codeOf(error) === '' && ENDED.test(error.message));

/**
 * SQLSTATE classes and codes of the system and of the driver that mean "no database right now". EAGAIN is the socket of a
 * server that is stopped or overloaded; EMFILE and ENFILE are this machine without a file for one more connection.
 */
const UNAVAILABLE =
  /^(08|40001|40P01|57P0[1-5]|53[0-9]|ECONN|EPIPE|EAGAIN|EMFILE|ENFILE|ENOBUFS|ENOENT|ENOTFOUND|EAI_|EHOST|ENET|EADDR|ETIMEDOUT|CONNECT_TIMEOUT|CONNECTION_)/;

/** True when an error says that the database cannot be reached, rather than that it refused a statement. */
export const databaseLost = (error: unknown): boolean => UNAVAILABLE.test(codeOf(error));

/** True if the server cancelled the statement for another one: the same statement may be sent again. */
export const isConflict = (error: unknown): boolean => CONFLICT.test(codeOf(error));

/** True for a lost connection, a full disk or a server that stops: the statement may pass later. */
export const isTemporary = (error: unknown): boolean =>
  isConnectionLost(error) || /^(40|53|57|58)|^CONNECTION/.test(codeOf(error));

/** True if the server refused a value rather than the work: SQLSTATE classes 22, 23 and 54. */
export const isBadValue = (error: unknown): boolean => /^(22|23|54)/.test(codeOf(error));

/** numeric_value_out_of_range */
export const isOutOfRange = (error: unknown): boolean => codeOf(error) === '22003';

/** character_not_in_repertoire */
export const isInvalidCharacter = (error: unknown): boolean => codeOf(error) === '22021';

/** query_canceled: a statement that was cancelled, or that ran into its time limit. */
export const isCancelled = (error: unknown): boolean => codeOf(error) === QUERY_CANCELED;

/** undefined_table */
export const isTableMissing = (error: unknown): boolean => codeOf(error) === '42P01';

/** lock_not_available: a statement waited too long for a lock; deadlock_detected: two waited for each other. */
export const isLockRefused = (error: unknown): boolean => ['55P03', '40P01'].includes(codeOf(error));

/** idle_session_timeout: the server ended a session that was idle for too long. */
export const isIdleTimeout = (error: unknown): boolean => codeOf(error) === '57P05';

/** True if the connection was ended by a command: a new one is available at once. */
export const isTerminated = (error: unknown): boolean => codeOf(error) === '57P01';

const ENDED_WHILE_OPENING = /^(CONNECTION_LOST|ECONNRESET|EPIPE)$/;

/** True when a connection was accepted and ended before it was open: the next one may fare better. */
export const isEndedWhileOpening = (error: unknown): boolean => ENDED_WHILE_OPENING.test(codeOf(error));

/**
 * True if a prepared statement of the connection is no longer valid: its table has changed, or the server does not know it
 * (any more). The statement itself was not run.
 */
export const isStalePreparation = (error: unknown): boolean => {
  const code = codeOf(error);
  if (code === '26000' || code === '42P05') return true;
  return code === '0A000' && error instanceof Error && error.message.includes('cached plan');
};
