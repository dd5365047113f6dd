/** Processes to end when the bench is interrupted, the last started first. */
const endings: (() => Promise<void>)[] = [];
let watching = false;

/** Registers a cleanup for signals and for errors that nothing caught; the returned function removes it. */
export function endOnSignal(end: () => Promise<void>): () => void {
  endings.push(end);
  if (!watching) {
    watching = true;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endAll(130));
    process.once('uncaughtException', error => {
      console.error(error);
      void endAll(1);
    });
  }
  return () => {
    const at = endings.indexOf(end);
    if (at >= 0) endings.splice(at, 1);
  };
}

async function endAll(code: number): Promise<void> {
  for (const end of [...endings].reverse()) await end().catch(() => {});
  process.exit(code);
}
