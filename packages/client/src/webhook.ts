import type { StreamEvent } from './stream-event.ts';

/** The body of a request of a webhook. */
export type Webhook =
  | {
      type: 'cairn.batch';
      /** When the request was sent first. */
      timestamp: string;
      data: {
        /** Name of the webhook. */
        hook: string;
        /** Version of this shape. */
        version: number;
        /** True if an operator has asked for these blocks once more. */
        redelivery: boolean;
        /** The position after the messages. */
        position: string;
        /** Messages of the stream, in their order. */
        messages: StreamEvent[];
      };
    }
  | {
      /** Sent by `cairn webhooks test`. */
      type: 'cairn.test';
      timestamp: string;
      data: { hook: string; version: number };
    };

export type VerifyWebhookOptions = {
  /** Most seconds between the time of the request and now. Default: 300. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970. Default: the clock. */
  now?: number;
};

/** Headers of a request, as Node.js or the web platform has them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request is not of the webhook, is too old, or was changed on its way. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

/**
 * Checks the signature and the time of a request (Standard Webhooks), and gives its parsed body. `body` is the body as it was
 * received, before any parsing. With several secrets, as while one is being replaced, one of them has to fit. Rejects with a
 * WebhookError otherwise: respond with 400 then.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyWebhookOptions = {},
): Promise<Webhook> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('the header webhook-timestamp is not a time');
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('the time of the request is too far from the clock of this machine');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const keys = await Promise.all([secrets].flat().map(keyOf));
  for (const signature of signatures.split(' ')) {
    const mac = signature.startsWith('v1,') ? bytesOf(signature.slice(3)) : undefined;
    if (!mac) continue;
    // The comparison of the platform takes the same time wherever two codes differ.
    for (const key of keys) if (await crypto.subtle.verify('HMAC', key, mac, signed)) return parsed(bytes);
  }
  throw new WebhookError('no signature of the request fits');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  if (typeof value !== 'string' || value === '') throw new WebhookError(`the header ${name} is missing`);
  return value;
}

async function keyOf(secret: string) {
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : undefined;
  if (!bytes || bytes.length === 0) throw new TypeError(`a secret of a webhook is ${PREFIX} followed by base64`);
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** The bytes of a base64 text; undefined if it is not one. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0));
  } catch {
    // The length is not one of base64.
    return undefined;
  }
}

function joined(head: Uint8Array, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + rest.length);
  all.set(head);
  all.set(rest, head.length);
  return all;
}

function parsed(bytes: Uint8Array): Webhook {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Webhook;
  } catch (cause) {
    throw new WebhookError('the body is signed, but it is not JSON', { cause });
  }
}
