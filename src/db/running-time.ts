const slices = 8;

/**
 * Calls back after so many milliseconds in which this thread could run, and returns the way to stop that. A long computation
 * or a stopped process counts as one eighth: what has arrived meanwhile is read before time is up.
 */
export function afterRunningTime(ms: number, callback: () => void): () => void {
  let left = slices;
  let timer: NodeJS.Timeout;
  const wait = () => {
    timer = setTimeout(() => (--left === 0 ? callback() : wait()), ms / slices);
  };
  wait();
  return () => clearTimeout(timer);
}
