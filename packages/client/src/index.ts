export { ApiError } from './api-error.ts';
export {
  type Answer,
  type CallOptions,
  Client,
  type ClientOptions,
  type OperationId,
  type Parameters,
  type Result,
} from './client.ts';
export { CursorMoved } from './cursor.ts';
export type * from './operations.ts';
export { type ProofTrust, verifyProof } from './proof.ts';
export { follow, type RollbackTarget, type SinkOptions } from './sink.ts';
export {
  type PostgresConnection,
  postgres,
  type Query,
  type SqliteDatabase,
  type Store,
  sqlite,
} from './store.ts';
export { type StreamOptions, type StreamSelection, type StreamTopic, stream } from './stream.ts';
export type { StreamEvent } from './stream-event.ts';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type Webhook,
  WebhookError,
  type WebhookHeaders,
} from './webhook.ts';
