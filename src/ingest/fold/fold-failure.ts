const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** Another writer has moved the fence: this one must not write any more. */
export const isTakenOver = (error: unknown): boolean => codeOf(error) === 'CAIRN';

/** What the driver says of a connection that ended under a statement: these errors have no code. */
const ended = /^Connection terminated|^Client (was closed|has encountered a connection error)/;

/** A lost connection, a full disk, a server that stops, a writer that took over: the same event may pass later. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (typeof code !== 'string') return error instanceof Error && ended.test(error.message);
  return /^(08|40|53|57|58)|^CAIRN$|^E[A-Z]{4,}|^CONNECTION/.test(code);
}
