import type { Network } from '@cairn-stacks/codec/network';
import { openPayloads } from '../chainhooks/payloads.ts';
import { HttpSender } from '../webhooks/http-sender.ts';
import type { WebhookAdmin } from '../webhooks/manage.ts';
import { openSecretKeys } from '../webhooks/secret-box.ts';
import { WebhookWorker } from '../webhooks/webhook-worker.ts';
import type { RunningDatabase } from './database.ts';
import { followChain } from './followed-chain.ts';
import { startTogether } from './lifecycle.ts';
import type { RunningReads } from './reads.ts';
import type { Start } from './start.ts';

export type WebhookParts = { database: RunningDatabase; reads: RunningReads; network: Network };

export type RunningWebhooks = WebhookAdmin & { network: Network } & { stop(): Promise<void> };

/** Time limit of a statement that writes how far a webhook is. */
const WRITE_MS = 10_000;

/** Starts sending webhooks, with connections of their own: neither ingest nor responses wait for them. */
export async function startWebhooks(
  { config, log: parent, metrics }: Start,
  { database, reads, network }: WebhookParts,
): Promise<RunningWebhooks> {
  return await startTogether(parent, async parts => {
    const log = parent.child({ part: 'webhooks' });
    const { webhookAllow: allow, queryTimeout } = config;
    const http = new HttpSender({ allow });
    parts.onStop('webhook requests', () => http.close());
    const keys = openSecretKeys(config);
    const sql = parts.addPool('webhooks', database.url, { max: 2, statementTimeoutMs: WRITE_MS });
    const following = { name: 'webhook', max: 3, queryTimeoutSeconds: queryTimeout, log };
    const { chain, source } = await followChain(parts, { database, reads }, following);
    const openPayload = openPayloads(chain);
    const onAttempt = (outcome: 'delivered' | 'failed') => metrics.webhookAttempts.inc({ outcome });
    const worker = new WebhookWorker({ sql, reads: chain, source, keys, http, log, openPayload, onAttempt });
    worker.start();
    parts.add('webhook senders', worker);
    return { sql, keys, http, allow, openPayload, network };
  });
}
