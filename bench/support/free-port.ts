import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give ports from here on to connections, so that a server that ends for a moment may not get its own back. */
const FIRST_GIVEN = 32_768;
const LOWEST = 10_000;

/** A port of 127.0.0.1 that nothing listens on, and that the system gives to nobody else. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, FIRST_GIVEN);
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      await new Promise(resolve => server.close(resolve));
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}
