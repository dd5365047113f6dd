import { createHmac, randomBytes } from 'node:crypto';

/** The beginning of every secret (Standard Webhooks 1.0). */
const PREFIX = 'whsec_';
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** What a secret looks like, for messages. */
export const SECRET_FORM = `${PREFIX} followed by ${MIN_BYTES} to ${MAX_BYTES} bytes in base64`;

export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/** The bytes of a secret; undefined if the text is not one. */
export function secretBytes(text: string): Buffer | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  const encoded = text.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  const fits = bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES;
  return fits && bytes.toString('base64') === encoded ? bytes : undefined;
}

/** The headers of one attempt: the id stays the same when a message is sent again, the time does not. */
export function signedHeaders(secret: Uint8Array, id: string, body: string, now = Date.now()): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` };
}
