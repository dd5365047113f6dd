import * as incumbent from '../incumbent-settings.ts';
import * as is from '../setting.ts';
import { optional, set } from '../setting.ts';

/** What this process does, and when it is ready. */
export const serviceSettings = {
  role: set({
    name: 'CAIRN_ROLE',
    kind: is.choice('all', 'ingest', 'api', 'rosetta-offline'),
    fallback: 'all',
    aliases: [incumbent.apiMode],
    about:
      '`ingest` runs the observer and the fold. `api` serves requests and never writes. `all` does both. `rosetta-offline` builds Rosetta transactions without a database or a node.',
  }),
  storeAllEvents: set({
    name: 'CAIRN_STORE_ALL_EVENTS',
    kind: is.flag,
    fallback: 'false',
    about:
      'Whether whole StackerDB chunks, proposal responses and miner reports are stored too; by default they are counted and dropped, and only short records of block proposals and responses of signers are stored.',
  }),
  signerMetricsCycles: set({
    name: 'CAIRN_SIGNER_METRICS_CYCLES',
    kind: is.integer('a number of reward cycles from 1 to 1000', 1, 1000),
    fallback: '4',
    about:
      'Number of reward cycles, the announced next one included, whose single block proposals and responses of signers stay in the tables; the hourly totals of older cycles stay.',
  }),
  proofHeaders: set({
    name: 'CAIRN_PROOF_HEADERS',
    kind: is.integer('a number of blocks from 0 to 100000000', 0, 100_000_000),
    fallback: '20000',
    about:
      'Number of newest blocks whose headers are read from the nodes in the background and stored, about 2.5 kB each, so that proofs need no node. 0 stores none.',
  }),
  readyMaxLag: set({
    name: 'CAIRN_READY_MAX_LAG',
    kind: is.seconds,
    fallback: '60',
    about: 'Maximum age in seconds of the oldest event that is not in the tables yet; above it, `/readyz` returns 503.',
  }),
  readyMaxBehind: set({
    name: 'CAIRN_READY_MAX_BEHIND',
    kind: is.integer('a number of blocks', 0, 1_000_000),
    fallback: '10',
    about:
      'Maximum number of blocks that the served chain may be behind the best node; above it, `/readyz` returns 503.',
  }),
  labels: optional({
    name: 'CAIRN_LABELS',
    kind: is.path,
    unset: 'nobody has a label',
    about:
      'File with what you call addresses and contracts, a JSON object such as `{"SP…": "Exchange"}`. The explorer shows the labels in place of addresses, `/extended/v1/labels` returns them. The file is read at the start.',
  }),
} as const;
