import type { ServerResponse } from 'node:http';
import type { Standing } from './rate-limiter.ts';

/** Headers that tell clients of the incumbent's hosts what they may still ask. */
export const LIMIT_HEADERS = [
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-ratelimit-cost-stacks',
  'x-ratelimit-limit-stacks-second',
  'x-ratelimit-remaining-stacks-second',
] as const;

/** Writes how a client stands to the head of its response, unless that was sent. */
export function writeLimitHeaders(response: ServerResponse, standing: Standing | undefined, cost: number): void {
  if (!standing || response.headersSent) return;
  const { limit, remaining, perSecond, fullInSeconds } = standing;
  const values = [
    limit,
    remaining,
    Math.ceil(Date.now() / 1000 + fullInSeconds),
    cost,
    perSecond,
    Math.min(remaining, perSecond),
  ];
  for (const [i, name] of LIMIT_HEADERS.entries()) response.setHeader(name, String(values[i]));
}
