import { openBenchDatabase } from '../bench-database.ts';
import { say } from '../figures.ts';
import { ensureLoad, type Load } from '../load.ts';
import { reorganize } from '../reorganization.ts';
import { replay, runCommand } from '../service.ts';
import { databaseCpuSeconds } from '../usage.ts';
import { type PostedChain, postChain } from './posted-chain.ts';

type Figures = Record<string, number>;

/** A genesis with so many accounts: replayed, verified, and posted to the observer. */
export async function measureGenesis(accounts: number): Promise<Figures> {
  const load = await ensureLoad({ blocks: 12, transactions: 6, principals: accounts });
  say(`growth: replaying a genesis with ${accounts} accounts, ${Math.round(load.eventBytes / 1e6)} MB`);
  const figures = prefixed('genesis_replay', await replayGenesis(load));
  say(`growth: posting a genesis with ${accounts} accounts`);
  return { ...figures, ...prefixed('genesis_post', await postChain(load, 1)) };
}

async function replayGenesis(load: Load): Promise<Figures> {
  const { dataDir, sql, stop } = await openBenchDatabase();
  try {
    const before = (await databaseCpuSeconds(sql)) ?? Number.NaN;
    const { seconds, usage } = await replay(dataDir, load.file);
    const database = ((await databaseCpuSeconds(sql)) ?? Number.NaN) - before;
    say(`growth: replayed in ${Math.round(seconds)} s, peak ${Math.round(usage?.peakMb ?? Number.NaN)} MB; verifying`);
    const verified = await runCommand(dataDir, ['verify']);
    return {
      seconds,
      cpu_s: usage?.cpuSeconds ?? Number.NaN,
      db_cpu_s: database,
      rss_mb: usage?.peakMb ?? Number.NaN,
      verify_cpu_s: verified.usage?.cpuSeconds ?? Number.NaN,
      verify_rss_mb: verified.usage?.peakMb ?? Number.NaN,
    };
  } finally {
    await stop();
  }
}

/** What a node may send at its worst. */
export type FaultSizes = {
  /** Blocks of so many transactions. */
  transactions: number;
  /** Length of a branch that another one replaces, and transactions in each of its blocks. */
  branch: number;
  branchTransactions: number;
  /** Posts of nested JSON, each of so many bytes. */
  junk: number;
  junkBytes: number;
};

export const mainnetFaults: FaultSizes = {
  transactions: 10_000,
  branch: 100,
  branchTransactions: 660,
  junk: 8,
  junkBytes: 2_000_000,
};

/** Only shows that the bench runs. */
export const smallFaults: FaultSizes = {
  transactions: 200,
  branch: 12,
  branchTransactions: 20,
  junk: 2,
  junkBytes: 20_000,
};

/** Very large blocks, a long branch of them that is replaced, and nested junk between blocks. */
export async function measureFaults(sizes: FaultSizes): Promise<Figures> {
  say(`growth: posting blocks of ${sizes.transactions} transactions`);
  const large = await postChain(await ensureLoad({ blocks: 4, transactions: sizes.transactions, principals: 5000 }), 1);
  const { branch, branchTransactions: transactions } = sizes;
  const load = await ensureLoad({ blocks: branch + 4, transactions, principals: 5000 });
  say(`growth: replacing a branch of ${branch} blocks`);
  const replaced = await postChain(load, branch, async chain => ({
    ...(await replaceBranch(chain)),
    ...(await postJunk(chain, sizes)),
  }));
  return { ...prefixed('large_blocks', large), ...prefixed('long_branch', replaced) };
}

async function replaceBranch({ sql, poster, watch, last }: PostedChain): Promise<Figures> {
  const { branch, ms } = await reorganize(sql, last, poster, watch);
  last.splice(0, last.length, ...branch);
  return { mb: branch.reduce((sum, { length }) => sum + length, 0) / 1e6, followed_ms: ms };
}

/** Time until a block that is posted after the junk is visible: the fold has to pass it first. */
async function postJunk({ sql, poster, watch, last }: PostedChain, { junk, junkBytes }: FaultSizes): Promise<Figures> {
  const half = Math.floor(junkBytes / 2);
  const nested = Buffer.from(`${'['.repeat(half)}${']'.repeat(half)}`);
  for (let i = 0; i < junk; i++) await poster.post('/new_block', nested);
  const started = performance.now();
  const { ms } = await reorganize(sql, last.slice(-2), poster, watch);
  const [row] = await sql<{ quarantined: number }[]>`select count(*)::int as quarantined from event_quarantine`;
  if (row!.quarantined !== junk) throw new Error(`${row!.quarantined} of ${junk} posts of junk were put aside`);
  return { passed_junk_ms: performance.now() - started, after_junk_ms: ms };
}

const prefixed = (prefix: string, figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${prefix}_${name}`, value]));
