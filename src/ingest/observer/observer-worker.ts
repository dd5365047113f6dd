import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { connect } from '../../db/client.ts';
import { UsageError } from '../../errors.ts';
import { type ThreadLogLine, threadLog } from '../fold/thread-log.ts';
import { type FoldInlet, handOver, type PendingBytes } from '../log/event-handover.ts';
import { EventLog } from '../log/event-log.ts';
import { type ObservedPost, type ObserverOptions, startObserver } from './observer.ts';

/** What the thread is started with. */
export type ObserverThreadData = { url: string; options: Omit<ObserverOptions, 'log' | 'logger' | 'onPost'> };

/** Messages to the thread: stop, or the port through which the fold takes appended events. */
export type ObserverThreadOrder =
  | { kind: 'stop'; graceMs: number }
  | { kind: 'inlet'; port: MessagePort; pending: PendingBytes };

/** Messages to the main thread; `unusable` is a mistake in the settings. */
export type ObserverThreadMessage =
  | { kind: 'listening'; port: number }
  | { kind: 'unusable'; reason: string }
  | { kind: 'posts'; posts: ObservedPost[] }
  | ThreadLogLine;

const main = parentPort;
if (!main) throw new Error('the observer thread must be started by the service');
const send = (message: ObserverThreadMessage) => main.postMessage(message);

/** Posts are reported together: a message for each would cost as much as the post of a small event. */
const REPORT_MS = 100;
let posts: ObservedPost[] = [];
let reporting: NodeJS.Timeout | undefined;

function report(): void {
  clearTimeout(reporting);
  reporting = undefined;
  if (posts.length > 0) send({ kind: 'posts', posts });
  posts = [];
}

const { url, options } = workerData as ObserverThreadData;
let inlet: FoldInlet | undefined;
const sql = connect(url, { name: 'cairn observer', max: 2, fixedPlans: true });
const log = new EventLog(sql, { onAppend: events => inlet && handOver(inlet, events) });

try {
  const observer = await startObserver({
    ...options,
    log,
    logger: threadLog(send),
    onPost(post) {
      posts.push(post);
      reporting ??= setTimeout(report, REPORT_MS);
    },
  });
  main.on('message', async (order: ObserverThreadOrder) => {
    if (order.kind === 'inlet') {
      inlet = order;
      return;
    }
    await observer.stop(order.graceMs);
    report();
    await log.close();
    await sql.end({ timeout: 5 });
    main.close();
  });
  send({ kind: 'listening', port: observer.port });
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  send({ kind: 'unusable', reason: error.message });
  await sql.end({ timeout: 5 });
}
