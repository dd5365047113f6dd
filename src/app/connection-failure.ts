import { databaseLost } from '../db/database-error.ts';

/** Why a database cannot be used, and what to do about it. */
export type ConnectionFailure = {
  message: string;
  /** True if the same attempt cannot succeed later: a setting is wrong. */
  final: boolean;
};

/** Describes a failed attempt to connect to a server. */
export function describeFailure(server: string, error: unknown): ConnectionFailure {
  const code = String((error as { code?: unknown }).code ?? '');
  const reason = reasonOf(error, code);
  if (!databaseLost(error)) {
    const hint = HINTS[code] ?? 'check DATABASE_URL';
    return { message: `the database at ${server} refused the connection: ${reason}: ${hint}`, final: true };
  }
  // Codes of five digits and letters come from the server itself: it was reached.
  if (/^[0-9A-Z]{5}$/.test(code) && /^\d/.test(code)) {
    return { message: `the database at ${server} accepts no connection yet: ${reason}`, final: false };
  }
  return {
    message: `cannot reach the database at ${server} (${reason}): check DATABASE_URL, and that the server runs`,
    final: false,
  };
}

const HINTS: Readonly<Record<string, string>> = {
  '28P01': 'check the user and the password in DATABASE_URL',
  '28000': 'check the user in DATABASE_URL, and pg_hba.conf of the server',
  '3D000': 'create it, or check the name of the database in DATABASE_URL',
};

/** An attempt at several addresses of one host fails with an error without a text. */
function reasonOf(error: unknown, code: string): string {
  if (/^E[A-Z]/.test(code)) return REASONS[code] ? `${code}, ${REASONS[code]}` : code;
  return (error as Error).message || code || 'no reason given';
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ETIMEDOUT: 'it does not respond',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ENOENT: 'there is no such socket',
};
