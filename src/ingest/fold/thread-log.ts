type Level = 'info' | 'warn' | 'error';

/** A line that a thread logs; it travels to the main thread, which owns the logger. */
export type ThreadLogLine = { kind: 'log'; level: Level; details: object; message: string };

/** What a thread needs of a logger. */
export type ThreadLog = Record<Level, (details: object, message: string) => void>;

/** A logger for a thread, whose lines are sent to the main thread. */
export function threadLog(send: (line: ThreadLogLine) => void): ThreadLog {
  const line = (level: Level) => (details: object, message: string) =>
    send({ kind: 'log', level, details: cloneable(details), message });
  return { info: line('info'), warn: line('warn'), error: line('error') };
}

/** An error loses its class and its causes on the way to another thread, so it travels as text. */
function cloneable(details: object): object {
  if (details instanceof Error) return { error: messageOf(details), stack: details.stack };
  if (!('err' in details && details.err instanceof Error)) return details;
  return { ...details, err: { type: details.err.name, message: messageOf(details.err), stack: details.err.stack } };
}

function messageOf(error: Error): string {
  const causes: string[] = [];
  for (let e: unknown = error; e instanceof Error; e = e.cause) causes.push(e.message);
  return causes.join(': ');
}
