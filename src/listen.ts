import type { Server } from 'node:net';
import { UsageError } from './errors.ts';

export type ListenAddress = {
  host: string;
  port: number;
  /** The setting of the port, for the message when it is taken. */
  portSetting: string;
};

/** Listens at once; a port in use is reported as a mistake of the operator. */
export function listen(server: Server, { host, port, portSetting }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is already in use' : `cannot be opened (${error.code})`;
      reject(new UsageError(`${host}:${port} ${reason}: set ${portSetting} to another port`, { cause: error }));
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}
