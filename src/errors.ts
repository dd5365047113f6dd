import { STATUS_CODES } from 'node:http';

/** An error for the client: a status and a message that says what to do, without internal details. */
export class PublicError extends Error {
  override name = 'PublicError';
  readonly status: number;
  /** The response body; the default shape unless a family of routes has its own. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, body?: Record<string, unknown>) {
    super(message);
    this.status = status;
    this.body = body ?? { statusCode: status, error: STATUS_CODES[status] ?? 'Error', message };
  }
}

/** The request can never succeed. */
export const badRequest = (message: string) => new PublicError(400, message);

/** The requested item does not exist. */
export const notFound = (message: string) => new PublicError(404, message);

/** The database is not available; the text is the one that clients of the incumbent know. */
export function databaseUnavailable(): PublicError {
  const error = 'The database service is unavailable';
  return new PublicError(503, error, { error });
}

/** A usage error: printed as one line, exit code 2, no stack trace. */
export class UsageError extends Error {
  override name = 'UsageError';
}
