import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { connect } from '../../db/client.ts';
import { UsageError } from '../../errors.ts';
import { Pause } from '../../pause.ts';
import { type ThreadLogLine, threadLog } from '../fold/thread-log.ts';
import { AcknowledgedEvents } from '../log/acknowledged-events.ts';
import { type FoldPort, forward, type PendingBytes } from '../log/event-forwarding.ts';
import { EventLog } from '../log/event-log.ts';
import { LossCheck } from '../log/loss-check.ts';
import { type ObserverOptions, startObserver } from './observer.ts';
import type { ObservedPost } from './post.ts';

/** What the thread is started with. */
export type ObserverThreadData = {
  url: string;
  options: Omit<ObserverOptions, 'log' | 'logger' | 'onPost'>;
  /** The file with the last acknowledged event; undefined for a server that has no standby. */
  acknowledgedFile?: string | undefined;
};

/** Messages to the thread: stop, accept no events for a while, or the port through which the fold takes appended events. */
export type ObserverThreadOrder =
  | { kind: 'stop'; graceMs: number }
  | { kind: 'suspend'; reason: string | undefined }
  | { kind: 'foldPort'; port: MessagePort; pending: PendingBytes };

/** Messages to the main thread; `unusable` is a mistake in the settings. */
export type ObserverThreadMessage =
  | { kind: 'listening'; port: number }
  | { kind: 'unusable'; reason: string }
  | { kind: 'posts'; posts: ObservedPost[] }
  | { kind: 'loss'; lost: number; restored: number }
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

const { url, options, acknowledgedFile } = workerData as ObserverThreadData;
let foldPort: FoldPort | undefined;
const sql = connect(url, { name: 'cairn observer', max: 2, fixedPlans: true });
const acknowledged = acknowledgedFile === undefined ? undefined : new AcknowledgedEvents();
const log = new EventLog(sql, {
  onAppend: events => foldPort && forward(foldPort, events),
  ...(acknowledged && { acknowledged }),
});
const pause = new Pause();

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
  let checking: Promise<void> | undefined;
  if (acknowledged && acknowledgedFile !== undefined) {
    const onLoss = (lost: number, restored: number) => send({ kind: 'loss', lost, restored });
    const check = { sql, log, acknowledged, logger: threadLog(send), file: acknowledgedFile, onLoss };
    checking = new LossCheck(check).run(pause);
  }
  main.on('message', async (order: ObserverThreadOrder) => {
    if (order.kind === 'foldPort') {
      foldPort = order;
      return;
    }
    if (order.kind === 'suspend') {
      observer.suspend(order.reason);
      return;
    }
    pause.end();
    await observer.stop(order.graceMs);
    report();
    await checking;
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
