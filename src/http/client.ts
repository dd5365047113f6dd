import type { FastifyReply } from 'fastify';
import type { Client } from '../cache/response-cache.ts';

/** The client behind a reply. */
export const clientOf = ({ raw }: FastifyReply): Client => ({
  onGone(callback) {
    raw.once('close', () => {
      if (!raw.writableEnded) callback();
    });
  },
});
