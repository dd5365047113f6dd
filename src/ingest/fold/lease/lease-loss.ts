import { isIdleTimeout } from '../../../db/database-error.ts';

/** Why a lock was lost: the server heard nothing, it did not respond, or the connection broke. */
export type LossCause = 'silence' | 'no_response' | 'connection';

/** The loss of the fold's lock. It travels between threads. */
export type LeaseLoss = {
  cause: LossCause;
  reason: string;
  /** Milliseconds since the server responded last. */
  silentMs: number;
};

/**
 * The server releases the lock if it gets no message for this time, because of the holder or of the network. A standby has
 * to write within 5 s; a processor that is taken away for 3 s is no loss.
 */
export const silenceMs = 3_500;

/** What an error says about the loss of a lock after so many milliseconds without a response. */
export function describeLoss(error: Error, silentMs: number): LeaseLoss {
  if (error instanceof NoResponse) return { cause: 'no_response', reason: error.message, silentMs };
  // After a long stop the next beat may find the socket closed before the words of the server are read.
  if (!isIdleTimeout(error) && silentMs < silenceMs) return { cause: 'connection', reason: error.message, silentMs };
  const reason = 'the server heard nothing of this process: it was stopped, or its processor or network was taken away';
  return { cause: 'silence', reason, silentMs };
}

/** The server did not respond in time. */
export class NoResponse extends Error {
  override name = 'NoResponse';
  readonly code = 'ETIMEDOUT';

  constructor(ms: number) {
    super(`the server did not respond to the holder of the fold's lock within ${ms} ms`);
  }
}
