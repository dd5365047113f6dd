import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openBenchDatabase } from './support/bench-database.ts';
import { median, quantile, round, say } from './support/figures.ts';
import { type GrowthPoint, ingestPanels, machineCaption, renderGrowth } from './support/growth-plot.ts';
import { type LiveFigures, runLive } from './support/live-run.ts';
import { ensureLoad, type Load } from './support/load.ts';
import { replay } from './support/service.ts';

type Figures = Record<string, number>;

const bars: Record<string, [sign: '>=' | '<', value: number]> = {
  live_blocks_per_s: ['>=', 80],
  bulk_blocks_per_s: ['>=', 200],
  rss_mb: ['<', 700],
  db_bytes_per_event_byte: ['<', 1.2],
  tables_bytes_per_event_byte: ['<', 0.9],
};

/** The size whose figures are named without a suffix. */
const standard = 2000;

export const usage = {
  options:
    '[--blocks N,N | --quick] [--only live|bulk|lockstep] [--signers N [--per-post N]] [--sizes] [--statements] [--plot FILE.svg]',
  about:
    'Chains of several sizes, each posted event by event to the service and then replayed in bulk into another database.\n' +
    '--signers measures the first size without and with the messages of so many signers, and compares: once with the messages\n' +
    'about each block before it, and once (live_blocks_per_s_beside_signers) beside a chain that adds a block each second.\n' +
    '--sizes also prints the bytes of each table, --statements those that took longest, --plot draws all over the length.',
};

export async function run(args: string[]): Promise<Figures> {
  const { values } = parseArgs({
    args,
    options: {
      blocks: { type: 'string', default: '500,2000,8000' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      signers: { type: 'string' },
      'per-post': { type: 'string', default: '1' },
      sizes: { type: 'boolean', default: false },
      statements: { type: 'boolean', default: false },
      plot: { type: 'string' },
    },
  });
  const sizes = values.quick ? [500] : values.blocks.split(',').map(Number);
  if (values.signers !== undefined) {
    return await compareSigners(sizes[0]!, Number(values.signers), Number(values['per-post']), values);
  }
  const main = sizes.includes(standard) ? standard : sizes[0];
  const wanted = (part: string) => values.only === undefined || values.only === part;
  const figures: Figures = {};
  const points: GrowthPoint[] = [];
  for (const blocks of sizes) {
    const load = await ensureLoad({ blocks });
    const measured: Figures = {};
    if (wanted('live')) Object.assign(measured, await live(load, values));
    if (wanted('bulk')) Object.assign(measured, await bulk(load));
    const peaks = [measured.live_rss_mb, measured.bulk_rss_mb].filter(peak => peak !== undefined);
    if (peaks.length > 0) measured.rss_mb = Math.max(...peaks);
    for (const [name, value] of Object.entries(measured)) {
      measured[name] = round(value);
      figures[blocks === main ? name : `${name}_${blocks}`] = round(value);
    }
    points.push({ blocks, figures: measured });
  }
  if (wanted('lockstep')) Object.assign(figures, await lockstep(sizes[0]!));
  if (values.plot !== undefined)
    writeFileSync(values.plot, renderGrowth(points, machineCaption('40 transactions a block'), ingestPanels));
  sayMisses(figures);
  return figures;
}

async function live(load: Load, show: { sizes: boolean; statements: boolean }): Promise<Figures> {
  say(`live: posting ${load.blocks} blocks, ${Math.round(load.eventBytes / 1e6)} MB`);
  const run = await runLive(load, { statements: show.statements });
  const ratio = (bytes: number) => bytes / load.eventBytes;
  if (show.sizes) sayTables(run, load);
  for (const { totalMs, calls, text } of run.statements) {
    say(`${(totalMs / load.blocks).toFixed(3)} ms/block ${calls} × ${text.slice(0, 150)}`);
  }
  return {
    live_blocks_per_s: load.blocks / run.seconds,
    ack_p99_ms: run.ackP99Ms,
    rollback_10_ms: run.rollbackMs,
    db_bytes_per_event_byte: ratio(run.databaseBytes),
    tables_bytes_per_event_byte: ratio(run.tableBytes),
    log_bytes_per_event_byte: ratio(run.logBytes),
    live_rss_mb: run.peakMb,
    live_service_cpu_ms_per_block: (run.serviceCpuSeconds * 1000) / load.blocks,
    live_database_cpu_ms_per_block: (run.databaseCpuSeconds * 1000) / load.blocks,
  };
}

async function bulk(load: Load): Promise<Figures> {
  say(`bulk: replaying ${load.blocks} blocks`);
  const database = await openBenchDatabase();
  try {
    const { seconds, usage } = await replay(database.dataDir, load.file);
    return {
      bulk_blocks_per_s: load.blocks / seconds,
      bulk_rss_mb: usage?.peakMb ?? Number.NaN,
      bulk_cpu_ms_per_block: ((usage?.cpuSeconds ?? Number.NaN) * 1000) / load.blocks,
    };
  } finally {
    await database.stop();
  }
}

/** The cost of a network whose signers respond to every block. */
async function compareSigners(
  blocks: number,
  signers: number,
  perPost: number,
  show: { only?: string | undefined; sizes: boolean; statements: boolean },
): Promise<Figures> {
  const figures: Figures = {};
  for (const [suffix, count] of [
    ['', 0],
    ['_signers', signers],
  ] as const) {
    const load = await ensureLoad({ blocks, signers: count, perPost });
    const measured = {
      ...(show.only !== 'bulk' && (await live(load, show))),
      ...(show.only !== 'live' && (await bulk(load))),
    };
    for (const [name, value] of Object.entries(measured)) figures[`${name}${suffix}`] = round(value);
  }
  if (show.only !== 'bulk') Object.assign(figures, await besideSigners(blocks, signers, perPost, figures));
  for (const name of ['live_blocks_per_s', 'bulk_blocks_per_s']) {
    if (figures[name])
      figures[`${name}_change_percent`] = round((figures[`${name}_signers`]! / figures[name] - 1) * 100);
  }
  return figures;
}

/** The cost of a network at the tip: blocks as fast as they are taken, beside the signers of one block each second. */
async function besideSigners(blocks: number, signers: number, perPost: number, without: Figures): Promise<Figures> {
  const load = await ensureLoad({ blocks });
  const messages = await ensureLoad({ blocks, signers, perPost });
  say(`live: posting ${blocks} blocks beside the messages of ${signers} signers about a block each second`);
  const run = await runLive(load, { signers: { load: messages, blocksPerSecond: 1 } });
  const rate = blocks / run.seconds;
  return {
    live_blocks_per_s_beside_signers: round(rate),
    live_service_cpu_ms_per_block_beside_signers: round((run.serviceCpuSeconds * 1000) / blocks),
    live_blocks_per_s_beside_signers_change_percent: round((rate / without.live_blocks_per_s! - 1) * 100),
  };
}

/** Each block alone, as on a quiet chain: how long readers wait for it. */
async function lockstep(blocks: number): Promise<Figures> {
  say(`lockstep: each of ${blocks} blocks posted when the one before is visible`);
  const load = await ensureLoad({ blocks });
  const { seconds, visibleMs } = await runLive(load, { lockstep: true });
  return {
    lockstep_blocks_per_s: round(load.blocks / seconds),
    visible_p50_ms: round(median(visibleMs)),
    visible_p99_ms: round(quantile(visibleMs, 0.99)),
  };
}

function sayTables(run: LiveFigures, load: Load): void {
  for (const { name, bytes } of run.tables) say(`${(bytes / load.eventBytes).toFixed(4)} ${name}`);
}

function sayMisses(figures: Figures): void {
  for (const [name, [sign, bar]] of Object.entries(bars)) {
    const value = figures[name];
    if (value === undefined) continue;
    if (sign === '<' ? value >= bar : value < bar) say(`${name} is ${value}: asked is ${sign} ${bar}`);
  }
}
