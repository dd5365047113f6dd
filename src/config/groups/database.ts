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
  diskReserve: set({
    name: 'CAIRN_DISK_RESERVE',
    kind: is.bytes,
    fallback: '1073741824',
    about:
      'Free bytes on the disk of the embedded database below which ingest is suspended: nodes get 503 and repeat their events, reads go on. Ingest continues by itself when a tenth more is free.',
  }),
  databaseUrl: optional({
    name: 'DATABASE_URL',
    kind: is.url('postgres', 'postgresql'),
    unset: 'embedded PostgreSQL',
    aliases: [incumbent.primaryServer],
    secret: true,
    about: 'URL of the primary PostgreSQL server (tested with 18). Cairn needs a database of its own.',
  }),
  listenUrl: optional({
    name: 'CAIRN_LISTEN_URL',
    kind: is.url('postgres', 'postgresql'),
    unset: '`DATABASE_URL`',
    secret: true,
    about:
      'URL of the primary without a connection pooler, for notifications and for the fold, if `DATABASE_URL` leads to a pooler in transaction mode.',
  }),
  readUrls: set({
    name: 'CAIRN_READ_URLS',
    kind: is.list(is.url('postgres', 'postgresql')),
    fallback: '',
    aliases: [incumbent.replicaServer],
    secret: true,
    about:
      'Comma-separated URLs of read replicas. API reads are spread over all that follow the primary; without a usable one, the primary is read.',
  }),
  readMaxLag: set({
    name: 'CAIRN_READ_MAX_LAG',
    kind: is.seconds,
    fallback: '5',
    about:
      'Seconds that a read replica may be behind the primary; beyond it, it gets no requests until it has caught up.',
  }),
  heightWait: set({
    name: 'CAIRN_HEIGHT_WAIT',
    kind: is.seconds,
    fallback: '2',
    about:
      'Seconds that a request with `min_height` or the header `x-cairn-height` waits for that block height, or a stream for the block of its position; after it, the response is 503, or 400 for a stream.',
  }),
  snapshot: optional({
    name: 'CAIRN_SNAPSHOT',
    kind: is.text,
    unset: 'start with an empty database',
    about:
      'Snapshot that an empty database begins with: `s3://bucket/prefix` or a folder, for the newest one there, or with `#NAME` for that one. It has no effect on a database that holds a chain.',
  }),
  s3Endpoint: optional({
    name: 'AWS_ENDPOINT_URL_S3',
    kind: is.url('http', 'https'),
    unset: 'that of Amazon S3',
    about:
      'URL of an S3-compatible server for snapshots. Credentials come from the standard variables and files of AWS, such as `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.',
  }),
  s3Region: set({
    name: 'AWS_REGION',
    kind: is.text,
    fallback: 'us-east-1',
    about: 'Region of the S3 server for snapshots. Most S3-compatible servers accept any.',
  }),
  dbPool: optional({
    name: 'CAIRN_DB_POOL',
    kind: is.integer('a number of connections from 1 to 1000', 1, 1000),
    unset: '2 × processors + 1, at least 5',
    aliases: ['PG_CONNECTION_POOL_MAX'],
    about: 'Connections for API reads. The fold and the observer have their own.',
  }),
} as const;
