import type { FastifyReply } from 'fastify';

/** Who waits for an answer. */
export type Client = {
  /** Calls back when the connection of the client ends before the answer was written. */
  onGone(callback: () => void): void;
};

/** The client behind a reply. */
export const clientOf = ({ raw }: FastifyReply): Client => ({
  onGone(callback) {
    raw.once('close', () => {
      if (!raw.writableEnded) callback();
    });
  },
});
