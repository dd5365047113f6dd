import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { round, say } from './support/figures.ts';
import { type ChainGrowth, compareBulkLoads, measureChain } from './support/growth/chain-growth.ts';
import { growthPanels } from './support/growth/growth-panels.ts';
import { mainnetFaults, measureFaults, measureGenesis, smallFaults } from './support/growth/large-blocks.ts';
import { type GrowthPoint, machineCaption, renderGrowth } from './support/growth-plot.ts';
import { ensureLoad } from './support/load.ts';

type Figures = Record<string, number>;

const parts = ['chain', 'verify', 'rebuild', 'reads', 'rollback', 'processors', 'genesis', 'faults'] as const;
type Part = (typeof parts)[number];

export const usage = {
  options:
    '[--blocks N,N] [--transactions N] [--principals N] [--processors N,N] [--accounts N] [--faults mainnet|small]\n' +
    `  [--only ${parts.join(',')}] [--plot FILE.svg]`,
  about:
    'Chains of several lengths with small blocks, loaded in bulk: what a block costs, what requests read, and what taking back\n' +
    'ten blocks takes, over the length. A length of 1,000,000 takes hours. Then the first of them on so many processors, a\n' +
    'genesis with very many accounts, and very large blocks, branches and messages.',
};

export async function run(args: string[]): Promise<Figures> {
  const { values } = parseArgs({
    args,
    options: {
      blocks: { type: 'string', default: '2000,20000,100000' },
      transactions: { type: 'string', default: '6' },
      principals: { type: 'string', default: '5000' },
      processors: { type: 'string', default: '1,2' },
      accounts: { type: 'string', default: '500000' },
      faults: { type: 'string', default: 'mainnet' },
      only: { type: 'string' },
      plot: { type: 'string' },
    },
  });
  const only = values.only?.split(',') ?? parts;
  const wanted = (part: Part) => only.includes(part);
  const lengths = values.blocks.split(',').map(Number);
  const [transactions, principals] = [Number(values.transactions), Number(values.principals)];
  const figures: Figures = {};
  if (wanted('chain')) {
    const chains = new Map<number, ChainGrowth>();
    for (const blocks of lengths) {
      const load = await ensureLoad({ blocks, transactions, principals });
      const chain = await measureChain(load, part => wanted(part));
      for (const [name, value] of Object.entries(chain.figures)) figures[`${name}_${blocks}`] = value;
      say(`growth: ${blocks} blocks: ${JSON.stringify(rounded(chain.figures))}`);
      chains.set(blocks, chain);
    }
    const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
    if (wanted('reads') && shortest < longest) {
      Object.assign(figures, comparePages(chains.get(shortest)!, chains.get(longest)!));
    }
    if (values.plot !== undefined) {
      const points: GrowthPoint[] = [...chains].map(([blocks, chain]) => ({ blocks, figures: rounded(chain.figures) }));
      const about = `${transactions} transactions a block, ${principals.toLocaleString('en')} accounts`;
      writeFileSync(values.plot, renderGrowth(points, machineCaption(about), growthPanels));
    }
  }
  if (wanted('processors')) {
    const load = await ensureLoad({ blocks: lengths[0]!, transactions, principals });
    Object.assign(figures, await compareBulkLoads(load, values.processors.split(',').map(Number)));
  }
  if (wanted('genesis')) Object.assign(figures, await measureGenesis(Number(values.accounts)));
  if (wanted('faults')) {
    Object.assign(figures, await measureFaults(values.faults === 'small' ? smallFaults : mainnetFaults));
  }
  return rounded(figures);
}

const rounded = (figures: Readonly<Figures>): Figures =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, round(value)]));

/** Most pages of a long chain relative to a short one. */
const maxPageRatio = 1.5;
/** Below this one more level of one index is more than half as much again. */
const fewPages = 12;

/** Compares what requests read, where both have as many rows. */
function comparePages(short: ChainGrowth, long: ChainGrowth): Figures {
  let worst = 0;
  let compared = 0;
  let above = 0;
  for (const [name, { pages, rows, url }] of long.reads) {
    const before = short.reads.get(name);
    if (!before || before.rows !== rows || before.pages === 0) continue;
    compared++;
    const ratio = pages / before.pages;
    if (pages >= fewPages) worst = Math.max(worst, ratio);
    if (ratio <= maxPageRatio || pages < fewPages) continue;
    above++;
    say(`growth: ${before.pages} pages, then ${pages}, for ${rows} rows: ${name} ${url}`);
  }
  return { page_ratio: worst, page_ratio_above: above, reads_compared: compared };
}
