import type { Log } from '../log.ts';
import type { RouteContext } from '../read/route-context.ts';
import type { Streams } from '../stream/streams.ts';
import type { ChainhookAccess } from './chainhooks/access.ts';
import type { ExplorerFiles } from './explorer/files.ts';
import type { FaucetAccess } from './faucets/access.ts';

/** The plugin options of every route of the API. */
export type ApiContext = RouteContext & {
  faucets: FaucetAccess;
  streams: Streams;
  log: Log;
  /** Chainhooks of owners of keys; absent where nothing may be written. */
  chainhooks?: ChainhookAccess | undefined;
  /** The pages for people; absent if they are not built. */
  explorer?: ExplorerFiles;
};
