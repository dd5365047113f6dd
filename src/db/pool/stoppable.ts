/** A statement of the driver. */
type Statement<T> = PromiseLike<T> & { cancel(): void };

/** Waits for a long statement; the signal cancels it on the server. */
export async function stoppable<T>(statement: Statement<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  const cancel = () => statement.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await statement;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
