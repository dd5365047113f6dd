import { STATUS_CODES } from 'node:http';

/** An error meant for the caller: a status, a message that tells what to do, and nothing of our inside. */
export class PublicError extends Error {
  override name = 'PublicError';
  readonly status: number;
  /** What is sent; the usual shape unless a family of routes has its own. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, body?: Record<string, unknown>) {
    super(message);
    this.status = status;
    this.body = body ?? { statusCode: status, error: STATUS_CODES[status] ?? 'Error', message };
  }
}

/** The request can never succeed as it stands. */
export const badRequest = (message: string) => new PublicError(400, message);

/** Nothing is stored under what the request names. */
export const notFound = (message: string) => new PublicError(404, message);

/** No database right now; the sentence is one that clients of the incumbent know. */
export function databaseUnavailable(): PublicError {
  const error = 'The database service is unavailable';
  return new PublicError(503, error, { error });
}

/** A mistake in how the program was called: printed as one line, exit code 2, no stack. */
export class UsageError extends Error {
  override name = 'UsageError';
}
