import type pg from 'pg';

/** `pg` reads `?host=/folder` of a URL itself; everything else is as the pool reads it. */
export function writerConfig(url: string): pg.ClientConfig {
  return { connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true };
}
