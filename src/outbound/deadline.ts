/**
 * Runs work with a signal that is aborted with the outer one, or after a time. `AbortSignal.any` would do, but each of its
 * signals holds memory for as long as the outer one lives.
 */
export async function withDeadline<T>(
  ms: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const leave = () => controller.abort(outer.reason);
  const expire = () => controller.abort(new DOMException('the time limit has passed', 'TimeoutError'));
  const timer = setTimeout(expire, Math.max(1, ms));
  outer.addEventListener('abort', leave, { once: true });
  if (outer.aborted) leave();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', leave);
  }
}
