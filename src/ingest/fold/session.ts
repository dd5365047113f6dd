import type { Network } from '@cairn-stacks/codec/network';
import { connect, type Pool } from '../../db/client.ts';
import type { Writer } from '../../db/writer.ts';
import type { Pause } from '../../pause.ts';
import { beginBulkLoad, finishBulkLoad } from '../load/bulk-load.ts';
import type { EventFeed } from '../log/event-feed.ts';
import { EVENTS_CHANNEL } from '../log/event-rows.ts';
import { EventSupply } from '../log/event-supply.ts';
import { readBurnViews } from '../tree/unread-burn-views.ts';
import { Executor } from './executor.ts';
import type { FoldLog } from './fold-log.ts';
import type { FoldMemory } from './fold-memory.ts';
import { Housekeeping } from './housekeeping.ts';
import { FoldLease } from './lease/fold-lease.ts';
import type { LeaseLoss } from './lease/lease-loss.ts';
import { OwnedState } from './state.ts';
import { UnknownItems } from './unknown-items.ts';
import { FoldWriter } from './writer.ts';
import { openWriter } from './writer-connection.ts';

export type FoldOptions = {
  url: string;
  network: Network;
  log: FoldLog;
  /** Most blocks in one transaction when behind. */
  batchBlocks?: number;
  /** How long to wait after a failure and between two tries for the lock. */
  retryMs?: number;
  /** Load in bulk where nothing has been folded yet; a fold without it ends a load that was left half-way. */
  bulk?: boolean;
  /** Reward cycles whose proposals and responses of signers stay; all without it. */
  signerCycles?: number;
  /** Schema of the folded tables, if it is not the one in use: that of a rebuild. Its steps are not announced. */
  schema?: string;
  /** Events that this process appends, so that they need not be read back. */
  feed?: EventFeed;
  /** How much the caches keep. */
  memory?: Pick<FoldMemory, 'names' | 'totals'>;
  /** Called with each loss of the lock, for metrics. */
  onLeaseLoss?: (loss: LeaseLoss) => void;
};

/** Between two tries for the lock; a standby takes over this much later at most. */
const standbyMs = 300;
const defaultBatchBlocks = 50;

/** The parts of the one writer of the tables, from taking the lock to a failure or a stop. */
export type Session = {
  sql: Pool;
  writer: FoldWriter;
  executor: Executor;
  supply: EventSupply;
  housekeeping: Housekeeping;
  /** Aborts when the lock is not to be had any more, or a connection is lost. */
  lost: AbortSignal;
  /** True once the log has grown; the loop sets it back. */
  hasNewEvents: boolean;
};

export type SessionControl = {
  pause: Pause;
  /** Aborts work that takes too long to wait for at a stop. */
  stopping: AbortSignal;
  /** Called with each loss of the lock. */
  onLoss: (loss: LeaseLoss) => void;
};

/** Takes the lock, waiting for it as a standby, and works until a failure or a stop. */
export async function runSession(
  options: FoldOptions,
  control: SessionControl,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const { url, schema, log } = options;
  let lost: Error | undefined;
  const losing = new AbortController();
  const lose = (error: Error) => {
    lost ??= error;
    losing.abort();
    control.pause.wake();
  };
  const retryMs = options.retryMs ?? standbyMs;
  const lease = new FoldLease({ url, schema, retryMs, onLoss: control.onLoss, onFailure: lose });
  try {
    if (!(await lease.acquire(control.pause))) return;
    log.info({}, 'this process writes the tables now');
    await runAsWriter(options, control, { lease, lost: losing.signal, lose }, work);
  } catch (error) {
    // Statements under way when the lock was lost fail with a broken connection; the lock is the reason.
    throw lost ?? error;
  } finally {
    await lease.end();
  }
  if (lost) throw lost;
}

type Held = { lease: FoldLease; lost: AbortSignal; lose: (error: Error) => void };

/** Opens the connections and loads the state; all of it ends with the work. */
async function runAsWriter(
  options: FoldOptions,
  control: SessionControl,
  { lease, lost, lose }: Held,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const { url, log, schema, network, memory } = options;
  const schemas = schema === undefined ? undefined : [schema, 'public'];
  const sql = connect(url, {
    max: 4,
    name: 'cairn fold',
    fixedPlans: true,
    busyClient: true,
    ...(schemas && { schemas }),
  });
  let connection: Writer | undefined;
  let ending = false;
  // Pending statements on these connections must not wait for ever.
  const disconnect = () => {
    connection?.destroy();
    void sql.end({ timeout: 0 }).catch(() => {});
  };
  lost.addEventListener('abort', disconnect, { once: true });
  try {
    connection = await openWriter(url, 'cairn fold writer', schema);
    connection.onLost(error => {
      if (!ending) lose(error);
    });
    await lease.mark(connection);
    if (!(await settleBulkLoad(sql, options, control.stopping))) return;
    const writer = await FoldWriter.open({
      ...{ sql, connection, lease, network, log, quiet: schema !== undefined },
      ...(memory && { memory }),
    });
    await readBurnViews(sql, writer.position, log);
    const state = await OwnedState.load(sql, network, writer.position);
    const unknown = await UnknownItems.open(sql, log);
    const batchBlocks = options.batchBlocks ?? defaultBatchBlocks;
    const executor = new Executor({ sql, writer, state, unknown, log, batchBlocks });
    const housekeeping = new Housekeeping(sql, log, options.signerCycles);
    // An event that arrives while the last ones are written must not wait for the clock.
    const supply = new EventSupply(sql, options.feed, () => {
      session.hasNewEvents = true;
      control.pause.wake();
    });
    const session: Session = { sql, writer, executor, supply, housekeeping, lost, hasNewEvents: false };
    const listener = await sql.listen(EVENTS_CHANNEL, id => supply.announce(BigInt(id)));
    try {
      await work(session);
      await writer.settled();
    } finally {
      supply.close();
      await housekeeping.settled();
      await listener.unlisten().catch(() => {});
    }
  } finally {
    ending = true;
    lost.removeEventListener('abort', disconnect);
    await connection?.end();
    await sql.end({ timeout: lost.aborted ? 0 : 2 }).catch(() => {});
  }
}

/** Begins a bulk load, or ends one that was left half-way; false when a stop came meanwhile. */
async function settleBulkLoad(sql: Pool, { bulk, log }: FoldOptions, stopping: AbortSignal): Promise<boolean> {
  if (!bulk) return await finishBulkLoad(sql, log, stopping);
  if (!(await beginBulkLoad(sql))) log.info({}, 'the tables are in use: folding without a bulk load');
  return true;
}
