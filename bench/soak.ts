import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { openBenchDatabase } from './support/bench-database.ts';
import { round, say } from './support/figures.ts';
import { Follower } from './support/follower.ts';
import { accounts, ForkingChain } from './support/forking-chain.ts';
import { startService } from './support/service.ts';

const clients = { websocket: 60, 'socket.io': 20 } as const;
const blockMs = 300;

export const usage = {
  options: '[--minutes N] [--seed N]',
  about:
    'Clients that lose their connections, forks and a restart; at the end every client must know what the service answers.',
};

export async function run(args: string[]): Promise<Record<string, number>> {
  const { values } = parseArgs({
    args,
    options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
  });
  const durationMs = Number(values.minutes) * 60_000;
  const database = await openBenchDatabase();
  let service = await startService(database.dataDir);
  const { apiPort, observerPort } = service;
  const chain = new ForkingChain(Number(values.seed), observerPort);
  const followers: Follower[] = [];
  try {
    await chain.grow(5);
    for (const [transport, count] of Object.entries(clients)) {
      for (let i = 0; i < count; i++) {
        const address = accountAt(i % accounts, true).address;
        followers.push(new Follower(apiPort, transport as keyof typeof clients, address));
      }
    }
    const started = Date.now();
    let cuts = 0;
    const cutting = setInterval(() => {
      for (const follower of followers) {
        if (Math.random() > 0.03) continue;
        cuts++;
        follower.cut();
      }
    }, 1_000);
    let restarted = false;
    while (Date.now() - started < durationMs) {
      const next = Date.now() + blockMs;
      await chain.step();
      if (!restarted && Date.now() - started > durationMs / 2) {
        restarted = true;
        const ports = { CAIRN_API_PORT: String(apiPort), CAIRN_OBSERVER_PORT: String(observerPort) };
        say('soak: restarting the service');
        await service.stop();
        const starting = startService(database.dataDir, ports);
        // A node continues meanwhile and repeats events that were not accepted.
        await Promise.all([starting, chain.step()]);
        service = await starting;
      }
      await sleep(Math.max(0, next - Date.now()));
    }
    clearInterval(cutting);
    const wrong = await settle(followers, apiPort, chain.height);
    for (const text of wrong.slice(0, 10)) say(`soak: ${text}`);
    const figures = {
      clients: followers.length,
      blocks: chain.blocks,
      forks: chain.forks,
      cuts,
      connects: followers.reduce((sum, f) => sum + f.connects, 0),
      messages: followers.reduce((sum, f) => sum + f.messages, 0),
      views_wrong: wrong.length,
      peak_mb: round(service.usage()?.peakMb ?? Number.NaN),
    };
    if (wrong.length > 0) process.exitCode = 1;
    return figures;
  } finally {
    for (const follower of followers) follower.stop();
    chain.close();
    await service.stop();
    await database.stop();
  }
}

/** Waits for the last messages, then compares each client's view with API responses; returns one line for each difference. */
async function settle(followers: readonly Follower[], port: number, height: number): Promise<string[]> {
  let wrong = ['nothing was compared'];
  for (const end = Date.now() + 60_000; wrong.length > 0 && Date.now() < end; ) {
    await sleep(500);
    wrong = [];
    for (const follower of followers) {
      const difference = follower.synced ? await differenceOf(follower, port, height) : 'is not connected';
      if (difference) wrong.push(`the client of ${follower.address} ${difference}`);
    }
  }
  return wrong;
}

async function differenceOf(follower: Follower, port: number, height: number): Promise<string | undefined> {
  const base = `http://127.0.0.1:${port}/extended`;
  const list = (await (await fetch(`${base}/v2/blocks?limit=20`)).json()) as {
    results: { height: number; hash: string }[];
  };
  if (list.results[0]?.height !== height)
    return `waits: the service is at ${list.results[0]?.height}, not at ${height}`;
  for (const block of list.results) {
    const known = follower.blocks.get(block.height);
    if (known !== block.hash) return `has ${known} at ${block.height}, the service ${block.hash}`;
  }
  const stx = (await (await fetch(`${base}/v1/address/${follower.address}/stx`)).json()) as Record<string, string>;
  for (const [name, value] of Object.entries(follower.balance ?? { balance: '' })) {
    if (stx[name] !== value) return `has ${name} ${value}, the service ${stx[name]}`;
  }
  return undefined;
}
