import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openBenchDatabase } from './support/bench-database.ts';
import { round, say } from './support/figures.ts';
import { ensureLoad } from './support/load.ts';
import { replay, type Service, startService } from './support/service.ts';

/** Events of a block of the generated chain, about. */
const EVENTS_PER_BLOCK = 40;
/** Hooks of which nobody takes the requests. */
const DEAD_HOOKS = 20;

export const usage = {
  options: '[--events N]',
  about: 'Webhooks: how fast a backlog is sent to a local receiver, while others do not respond.',
};

/** A backlog of whole blocks with their events, sent by the service to a receiver in this process. */
export async function run(args: string[]): Promise<Record<string, number>> {
  const { values } = parseArgs({ args, options: { events: { type: 'string', default: '100000' } } });
  const load = await ensureLoad({ blocks: Math.ceil(Number(values.events) / EVENTS_PER_BLOCK) });
  const database = await openBenchDatabase();
  const receiver = await Receiver.open();
  let service: Service | undefined;
  try {
    say(`replaying ${load.blocks} blocks`);
    await replay(database.dataDir, load.file);
    await database.sql`vacuum analyze`;
    const [counted] = await database.sql<{ events: number }[]>`
      select sum(t.event_count)::float8 as events from transactions t where t.height > 0
    `;
    const events = counted!.events;
    service = await startService(database.dataDir, { CAIRN_WEBHOOK_ALLOW: '127.0.0.1' });
    const admin = `http://127.0.0.1:${service.metricsPort}/admin/webhooks`;
    const add = async (name: string, path: string) => {
      const filter = { topics: ['blocks', 'events'] };
      const body = JSON.stringify({ name, url: receiver.url + path, start: 1, filter });
      const response = await fetch(admin, { method: 'POST', body });
      if (!response.ok) throw new Error(await response.text());
    };
    for (let i = 0; i < DEAD_HOOKS; i++) await add(`dead-${i}`, 'dead');
    await add('live', 'live');
    const cpuBefore = service.usage()?.cpuSeconds ?? 0;
    const began = performance.now();
    while (receiver.events < events) await sleep(20);
    const seconds = (performance.now() - began) / 1000;
    const cpu = (service.usage()?.cpuSeconds ?? 0) - cpuBefore;
    say(`webhooks: ${events} events in ${receiver.requests} requests and ${seconds.toFixed(1)} s`);
    return {
      events,
      requests: receiver.requests,
      events_per_s: round(events / seconds),
      mb_per_s: round(receiver.bytes / seconds / 1e6),
      cpu_us_per_event: round((cpu * 1e6) / events),
      repeated: receiver.events - events,
      rss_mb: round(service.usage()?.peakMb ?? Number.NaN),
    };
  } finally {
    await service?.stop();
    receiver.close();
    await database.stop();
  }
}

/** Counts what it gets; requests to `/dead` are never answered. */
class Receiver {
  readonly #server: Server;
  requests = 0;
  events = 0;
  bytes = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<Receiver> {
    const server = createServer((request, response) => {
      if (request.url === '/dead') return void request.resume();
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        receiver.#take(Buffer.concat(chunks));
        response.writeHead(204).end();
      });
    });
    const receiver = new Receiver(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #take(body: Buffer): void {
    this.requests++;
    this.bytes += body.length;
    const { data } = JSON.parse(body.toString()) as { data: { messages: { events?: unknown[] }[] } };
    for (const { events = [] } of data.messages) this.events += events.length;
  }
}
