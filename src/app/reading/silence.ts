/** A read that takes so long makes its server prove that it responds at all. */
const SLOW_MS = 500;
/** A server that does not respond within this time to a statement that takes no time is silent. */
const SILENT_MS = 700;

/**
 * Waits for reads on a server. Resolves with true as soon as the server is silent, such as a stopped process or a network that
 * drops packets, and with false when the reads have ended, whatever their result.
 */
export async function isSilentDuring(
  work: Promise<unknown>,
  ping: (withinMs: number) => Promise<boolean>,
): Promise<boolean> {
  let ended = false;
  let end = () => {};
  const over = new Promise<void>(resolve => {
    end = resolve;
  });
  const done = () => {
    ended = true;
    end();
  };
  work.then(done, done);
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      over,
      new Promise<void>(resolve => {
        timer = setTimeout(resolve, SLOW_MS);
      }),
    ]);
    clearTimeout(timer);
    if (ended) return false;
    const responds = await Promise.race([over.then(() => true), ping(SILENT_MS)]);
    if (!responds) return true;
  }
}
