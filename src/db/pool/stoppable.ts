/** A statement of the driver that has been sent, or will be. */
type Statement<T> = PromiseLike<T> & { cancel(): void };

/** Waits for a statement that may take long; the server gives it up when the signal comes. */
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
