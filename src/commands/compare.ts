import { Random } from '@cairn-stacks/devnet/random';
import { readConfig } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import type { Arguments, Command } from './command.ts';
import { ApiClient, ApiFailure } from './compare/api-client.ts';
import { Comparison, type Finding } from './compare/comparison.ts';
import { findPinnedBlock } from './compare/pinned-block.ts';
import { findingText, summaryOf, summaryText } from './compare/report.ts';
import { routesOf } from './compare/route.ts';
import { printOpenApi } from './openapi.ts';
import { Progress } from './progress.ts';

export const command: Command = {
  usage: '--with URL',
  flags: {
    with: { type: 'string', value: 'URL', about: 'The other API, such as the Stacks Blockchain API to be replaced.' },
    api: { type: 'string', value: 'URL', about: 'This API (default: the local one, from the settings).' },
    sample: { type: 'string', value: 'N', about: 'Number of random blocks (default 25).' },
    depth: {
      type: 'string',
      value: 'N',
      about: 'Distance of the newest compared block below the common tip, in blocks (default 6).',
    },
    seed: {
      type: 'string',
      value: 'N',
      about: 'Seed of the random blocks: the same seed selects the same blocks (default 1).',
    },
    concurrency: { type: 'string', value: 'N', about: 'Number of blocks compared in parallel (default 4).' },
    timeout: { type: 'string', value: 'SECONDS', about: 'Time limit of a request (default 30).' },
    header: {
      type: 'string',
      value: 'NAME:VALUE',
      multiple: true,
      about: 'A header for the other API, such as an API key.',
    },
    only: { type: 'string', value: 'TEXT', about: 'Compare only paths and routes that contain this text.' },
    mempool: { type: 'boolean', about: 'Compare the mempool too; it changes constantly, so expect differences.' },
    json: { type: 'boolean', about: 'Print differences and the summary as JSON lines.' },
  },
  positionals: { min: 0, max: 0 },
  async run({ flags, env }) {
    const options = readOptions(flags, env);
    const stop = new AbortController();
    let interrupted = false;
    const onSignal = () => {
      if (interrupted) process.exit(130);
      interrupted = true;
      stop.abort();
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
    const client = (url: string, headers = {}) =>
      new ApiClient({ url, headers, timeoutMs: options.timeout * 1000, signal: stop.signal });
    const here = client(options.api);
    const there = client(options.with, options.headers);
    try {
      return await compare(options, here, there);
    } catch (error) {
      // The remaining requests are of no use any more.
      stop.abort();
      if (interrupted) return 130;
      if (!(error instanceof ApiFailure)) throw error;
      throw new UsageError(`could not compare: ${error.message}\n${adviceOn(error, here, there)}`, { cause: error });
    } finally {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    }
  },
};

type Options = ReturnType<typeof readOptions>;

async function compare(options: Options, here: ApiClient, there: ApiClient): Promise<number> {
  const pin = await findPinnedBlock(here, there, options.depth);
  const { only, mempool, seed } = options;
  const heights = drawHeights(pin.height, options.sample, new Random(seed));
  const progress = new Progress({ label: 'comparing', unit: 'blocks', counted: 'requests', total: heights.length + 1 });
  const onFinding = (finding: Finding) => {
    progress.clear();
    process.stdout.write(`${options.json ? JSON.stringify(finding, orNull) : findingText(finding)}\n`);
  };
  const routes = routesOf(JSON.parse(await printOpenApi()));
  let done = 0;
  const onResponse = () => progress.update(done, comparison.requests);
  const comparison = new Comparison({ here, there, routes, pin, seed, only, mempool, onFinding, onResponse });
  onResponse();
  const works = [() => comparison.compareChain(), ...heights.map(height => () => comparison.compareBlock(height))];
  try {
    await inParallel(works, options.concurrency, () => {
      done++;
      onResponse();
    });
  } finally {
    progress.finish();
  }
  const summary = summaryOf(comparison, pin.height);
  process.stdout.write(options.json ? `${JSON.stringify({ summary })}\n` : summaryText(summary));
  if (summary.different > 0) return 1;
  return summary.failed > 0 || comparison.compared === 0 ? 2 : 0;
}

/** Writes null for a field that one side lacks, because JSON drops undefined. */
const orNull = (_: string, value: unknown) => (value === undefined ? null : value);

/** Distinct random heights from the first block to the pinned one, which is always included. */
export function drawHeights(top: number, sample: number, random: Random): number[] {
  const heights = new Set([top]);
  while (heights.size < Math.min(sample, top)) heights.add(1 + random.below(top));
  return [...heights];
}

/** Runs the tasks with limited concurrency; the first failure ends all. */
async function inParallel(works: (() => Promise<void>)[], workers: number, onDone: () => void): Promise<void> {
  const waiting = works.values();
  const worker = async () => {
    for (const work of waiting) {
      await work();
      onDone();
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

function readOptions(flags: Arguments['flags'], env: Arguments['env']) {
  const { config } = readConfig(env);
  const number = (name: string, fallback: number, min: number, max: number) => {
    const value = Number(flags[name] ?? fallback);
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
    throw new UsageError(`--${name} is a whole number from ${min} to ${max}`);
  };
  if (typeof flags.with !== 'string') {
    throw new UsageError('cairn compare needs --with URL: the other API, such as https://api.example.org');
  }
  return {
    with: readUrl('with', flags.with),
    api: readUrl('api', typeof flags.api === 'string' ? flags.api : localUrl(config.apiHost, config.apiPort)),
    sample: number('sample', 25, 1, 1_000_000),
    depth: number('depth', 6, 0, 100_000),
    seed: number('seed', 1, 0, 4_294_967_295),
    concurrency: number('concurrency', 4, 1, 64),
    timeout: number('timeout', 30, 1, 3600),
    headers: readHeaders(flags.header),
    only: typeof flags.only === 'string' ? flags.only : undefined,
    mempool: flags.mempool === true,
    json: flags.json === true,
  };
}

/** Replaces an address that means all interfaces by loopback. */
function localUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function readUrl(name: string, value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value.replace(/\/+$/, '');
  throw new UsageError(`--${name} is an address that starts with http:// or https://`);
}

function readHeaders(values: Arguments['flags'][string]): Record<string, string> {
  const list = Array.isArray(values) ? values : [];
  return Object.fromEntries(
    list.map(value => {
      const [, name, content] = /^([\w-]+):\s*([\x20-\x7e]+)$/.exec(String(value)) ?? [];
      if (name === undefined || content === undefined) throw new UsageError('--header is NAME:VALUE');
      return [name, content];
    }),
  );
}

const adviceOn = ({ message }: ApiFailure, here: ApiClient, there: ApiClient) =>
  message.startsWith(there.url) && there.url !== here.url
    ? `check that the other API runs and that --with is its address, without /extended: curl ${there.url}/extended`
    : `check that this API runs and that --api is its address, without /extended: curl ${here.url}/extended`;
