import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { TipCache } from '../../../src/cache/tip-cache.ts';
import { openPayloads } from '../../../src/chainhooks/payloads.ts';
import { apiReads, connect } from '../../../src/db/client.ts';
import { createLog } from '../../../src/log.ts';
import { HttpSender, type HttpSenderOptions } from '../../../src/webhooks/http-sender.ts';
import { addHook, showHook, type WebhookAdmin } from '../../../src/webhooks/manage.ts';
import type { Retries } from '../../../src/webhooks/retries.ts';
import { openSecretKeys } from '../../../src/webhooks/secret-box.ts';
import { WebhookWorker, type WebhookWorkerOptions } from '../../../src/webhooks/webhook-worker.ts';
import { messagesOf } from '../../support/chain.ts';
import { testDatabase } from '../../support/database.ts';
import { foldAll, until } from '../../support/service.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

export const webhookKey = '11'.repeat(32);
/** Only loopback is allowed, as in a test nothing else can be reached. */
const allow = ['127.0.0.1'];
/** Requests are repeated at once, and hooks are not given up. */
export const eager: Retries = { delaysMs: [1], giveUpMs: 3_600_000, random: () => 0 };

const silent = createLog({ level: 'silent', format: 'json' });

/** A database with a chain, what operators use, and processes that send. */
export async function startWorld(t: Ending, blocks: readonly BuiltBlock[], http: Partial<HttpSenderOptions> = {}) {
  const database = await testDatabase(t);
  const fold = (more: readonly BuiltBlock[]) => foldAll(database, more.flatMap(messagesOf));
  await fold(blocks);
  const sender = new HttpSender({ allow, timeoutMs: 60_000, ...http });
  t.onTestFinished(() => sender.close());
  const keys = openSecretKeys({ webhookKey, dataDir: '/nonexistent' });
  const openPayload = openPayloads(database.sql);
  const admin: WebhookAdmin = { sql: database.sql, keys, http: sender, allow, openPayload };

  /** A process that sends, until it is stopped or the test ends. */
  const startWorker = async (options: Partial<WebhookWorkerOptions> = {}) => {
    const sql = connect(database.url, { max: 2, name: 'cairn webhooks' });
    const reads = connect(database.url, { ...apiReads, max: 2, name: 'cairn webhook reads' });
    const tip = new TipCache({ sql: reads, primary: reads, log: silent, pollMs: 20 });
    await tip.start();
    const worker = new WebhookWorker({
      ...{ sql, reads, source: tip, keys, http: sender, log: silent, openPayload, retries: eager, pollMs: 10 },
      ...options,
    });
    worker.start();
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= worker.stop().then(async () => {
        await tip.stop();
        await Promise.all([sql.end({ timeout: 1 }), reads.end({ timeout: 1 })]);
      });
      return stopped;
    };
    t.onTestFinished(stop);
    return { stop, sql };
  };

  const show = (name = 'hook') => showHook(database.sql, name);
  return {
    database,
    admin,
    fold,
    startWorker,
    show,
    add: (url: string, more: object = {}) => addHook(admin, { name: 'hook', url, start: 1, ...more }),
    /** Waits until a hook is in a state. */
    inState: (state: string, name = 'hook') =>
      until(async () => (await show(name)).state === state && (await show(name))),
    /** Waits until a hook has everything. */
    caughtUp: (name = 'hook') =>
      until(async () => {
        const { backlog_blocks, state, deliveries } = await show(name);
        return backlog_blocks === 0 && state === 'active' && deliveries > 0;
      }),
  };
}
