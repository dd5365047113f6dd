import { isMainThread } from 'node:worker_threads';

// Preloaded into a service whose memory is measured; needs --expose-gc.
if (isMainThread) process.on('SIGUSR2', () => globalThis.gc?.());
