import * as incumbent from '../incumbent-settings.ts';
import * as is from '../setting.ts';
import { optional, set } from '../setting.ts';

/** The database and its connections. */
export const databaseSettings = {
  dataDir: set({
    name: 'CAIRN_DATA_DIR',
    kind: is.text,
    fallback: './data',
    about: 'Folder of the embedded database and of other files.',
  }),
  databaseUrl: optional({
    name: 'DATABASE_URL',
    kind: is.url('postgres', 'postgresql'),
    unset: 'embedded PostgreSQL',
    aliases: [incumbent.primaryServer],
    secret: true,
    about: 'URL of the primary PostgreSQL server (tested with 18). Cairn needs a database of its own.',
  }),
  readUrls: set({
    name: 'CAIRN_READ_URLS',
    kind: is.list(is.url('postgres', 'postgresql')),
    fallback: '',
    aliases: [incumbent.replicaServer],
    secret: true,
    about: 'Comma-separated URLs of read replicas. This process reads from the first one that responds.',
  }),
  dbPool: optional({
    name: 'CAIRN_DB_POOL',
    kind: is.integer('a number of connections from 1 to 1000', 1, 1000),
    unset: '2 × processors + 1, at least 5',
    aliases: ['PG_CONNECTION_POOL_MAX'],
    about: 'Connections for API reads. The fold and the observer have their own.',
  }),
} as const;
