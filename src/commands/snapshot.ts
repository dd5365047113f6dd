import { openDatabase, untilReachable } from '../app/database.ts';
import { checkSnapshotNetwork } from '../app/identity.ts';
import { type Config, readConfig } from '../config/config.ts';
import { connect } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { createSnapshot } from '../ingest/snapshot/create.ts';
import { listSnapshots, readManifest } from '../ingest/snapshot/manifest.ts';
import { openStore, parseAddress } from '../ingest/snapshot/open-store.ts';
import { restoreSnapshot } from '../ingest/snapshot/restore.ts';
import type { Store } from '../ingest/snapshot/store.ts';
import { chunksOf, verifyChunks } from '../ingest/snapshot/verify.ts';
import { createLog } from '../log.ts';
import type { Command } from './command.ts';
import { formatBytes, formatCount, formatDuration, Progress } from './progress.ts';

const actions = ['create', 'list', 'verify', 'restore'] as const;
type Action = (typeof actions)[number];

/** Blocks below the tip whose events stay in a snapshot without events, as deep as a fork may be. */
const KEEP_BLOCKS = 1000;

export const command: Command = {
  usage: 'create|list|verify|restore URL',
  more: `URL is s3://BUCKET/PREFIX or a folder. For verify and restore it selects the newest snapshot, or with #NAME that one.

  create    make a snapshot of the database; a running service continues
  list      list the complete snapshots
  verify    read every chunk and check it
  restore   fill an empty database or data folder; run it again after an interruption`,
  flags: {
    'without-events': {
      type: 'boolean',
      about: `create: leave out the old events of the log, as cairn prune --keep-blocks ${KEEP_BLOCKS} would.`,
    },
    'skip-verify': {
      type: 'boolean',
      about: 'restore: check chunks only while they are loaded; a damaged one then leaves an incomplete database.',
    },
    json: { type: 'boolean', about: 'list: print the snapshots as JSON.' },
  },
  positionals: { min: 2, max: 2 },
  async run({ flags, positionals: [name = '', address = ''], env }) {
    const action = actions.find(each => each === name);
    if (!action) throw new UsageError(`cairn snapshot expects ${actions.join(', ')}; see cairn snapshot --help`);
    const { config, warnings } = readConfig(env);
    for (const warning of warnings) say(warning);
    const target = parseAddress(address);
    if (target.name !== undefined && (action === 'create' || action === 'list')) {
      throw new UsageError(`cairn snapshot ${action} expects URL without #NAME`);
    }
    const store = await openStore(target.store, config);
    try {
      return await run(action, { config, store, name: target.name, flags });
    } finally {
      store.close();
    }
  },
};

type Context = { config: Config; store: Store; name: string | undefined; flags: Record<string, unknown> };

async function run(action: Action, context: Context): Promise<number> {
  if (action === 'list') return await list(context);
  if (action === 'verify') return await verify(context);
  const { config } = context;
  const log = createLog({ level: 'warn', format: config.logFormat });
  const stop = new AbortController();
  const onSignal = () => (stop.signal.aborted ? process.exit(130) : stop.abort());
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const snapshot = action === 'restore' ? await readManifest(context.store, context.name) : undefined;
  const database = await openDatabase(config, log);
  const sql = connect(database.url, { max: 1, name: `cairn snapshot ${action}` });
  try {
    await untilReachable(sql, log, () => stop.signal.aborted);
    if (snapshot) {
      await checkSnapshotNetwork(sql, snapshot, config.network);
      return await restore({ ...context, url: database.url, signal: stop.signal, snapshot });
    }
    return await create({ ...context, url: database.url, signal: stop.signal });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    say(action === 'create' ? 'stopped; no snapshot was made' : 'stopped; run the same command again to continue');
    return 130;
  } finally {
    await sql.end({ timeout: 5 });
    await database.stop();
  }
}

type Running = Context & { url: string; signal: AbortSignal };

async function create({ store, url, flags, signal }: Running): Promise<number> {
  const started = performance.now();
  let progress: Progress | undefined;
  const created = await createSnapshot({
    url,
    store,
    signal,
    keepBlocks: flags['without-events'] === true ? KEEP_BLOCKS : undefined,
    onProgress: ({ done, total, rows }) => {
      progress ??= new Progress({ label: 'copying', unit: 'bytes', counted: 'rows', total });
      progress.update(done, rows);
    },
  }).finally(() => progress?.finish());
  const { name, manifest, bytes, storedBytes, reusedBytes } = created;
  const reused = reusedBytes > 0 ? `, ${formatBytes(reusedBytes)} of them were stored already` : '';
  say(
    `snapshot ${name} at height ${manifest.height}: ${formatBytes(bytes)} of rows in ${formatBytes(storedBytes)}${reused}, ${timeSince(started, bytes)}`,
  );
  return 0;
}

async function list({ store, flags }: Context): Promise<number> {
  const names = await listSnapshots(store);
  const found = [];
  for (const name of names) found.push(await readManifest(store, name));
  if (flags.json === true) {
    const rows = found.map(({ name, manifest: { tables, migrations, sequences, ...facts } }) => ({
      name,
      ...facts,
      schema: migrations.at(-1)!.name,
      rows: tables.reduce((all, table) => all + table.rows, 0),
      stored_bytes: storedBytes({ tables }),
    }));
    process.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
    return 0;
  }
  if (found.length === 0) say(`there is no snapshot in ${store.url}`);
  for (const { name, manifest } of found) {
    const { height, created_at, pruned_to } = manifest;
    const events = pruned_to === '0' ? '' : '  without old events';
    process.stdout.write(`${name}  height ${height}  ${created_at}  ${formatBytes(storedBytes(manifest))}${events}\n`);
  }
  return 0;
}

const storedBytes = (manifest: Parameters<typeof chunksOf>[0]) =>
  chunksOf(manifest).reduce((all, chunk) => all + chunk.stored_bytes, 0);

async function verify({ store, name: wanted }: Context): Promise<number> {
  const { name, manifest } = await readManifest(store, wanted);
  const chunks = chunksOf(manifest);
  const total = storedBytes(manifest);
  const progress = new Progress({ label: `verifying ${name}`, unit: 'bytes', counted: 'chunks', total });
  let checked = 0;
  const onProgress = (done: number) => progress.update(done, ++checked);
  const faults = await verifyChunks({ store, chunks, thorough: true, onProgress }).finally(() => progress.finish());
  for (const fault of faults) say(fault);
  if (faults.length === 0) say(`snapshot ${name} is complete: ${formatCount(chunks.length)} chunks`);
  else say(`snapshot ${name} is damaged: ${faults.length} of ${formatCount(chunks.length)} chunks`);
  return faults.length === 0 ? 0 : 1;
}

async function restore(options: Running & { snapshot: Awaited<ReturnType<typeof readManifest>> }): Promise<number> {
  const { store, url, flags, signal, snapshot } = options;
  const started = performance.now();
  const bars = new Map<string, Progress>();
  let bytes = 0;
  await restoreSnapshot({
    url,
    store,
    snapshot,
    verify: flags['skip-verify'] !== true,
    signal,
    log: say,
    onProgress: ({ step, done, total, rows }) => {
      const bar = bars.get(step) ?? new Progress({ label: step, unit: 'bytes', counted: 'rows', total });
      bars.set(step, bar);
      bar.update(done, rows);
      if (step === 'restoring') bytes = done;
    },
  }).finally(() => bars.get('restoring')?.finish());
  const { height, network } = snapshot.manifest;
  say(`${snapshot.name} is restored: ${network} at height ${height}, ${timeSince(started, bytes)}`);
  return 0;
}

function timeSince(started: number, bytes: number): string {
  const seconds = (performance.now() - started) / 1000;
  return `${formatDuration(seconds)}, ${formatBytes(bytes / seconds)}/s`;
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
