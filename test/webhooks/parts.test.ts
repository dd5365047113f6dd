import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookError } from '../../packages/client/src/index.ts';
import { nextDelay, standardRetries } from '../../src/webhooks/retries.ts';
import { openSecretKeys, SecretBox } from '../../src/webhooks/secret-box.ts';
import { newSecret, secretBytes, signedHeaders } from '../../src/webhooks/signature.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('retries follow the schedule of the specification, and end after a day', () => {
  const plain = { ...standardRetries, random: () => 0 };
  const delays: number[] = [];
  let failingMs = 0;
  for (let failures = 1; ; failures++) {
    const delay = nextDelay(plain, failures, failingMs);
    if (delay === undefined) break;
    delays.push(delay);
    failingMs += delay;
  }
  expect(delays.slice(0, -1)).toEqual([5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR]);
  // The last attempt is made when the day is over.
  expect(failingMs).toBe(24 * HOUR);

  expect(nextDelay({ ...plain, random: () => 1 }, 1, 0)).toBe(6000);
  expect(nextDelay(plain, 1, 0, 90_000)).toBe(90_000);
  expect(nextDelay(plain, 3, 24 * HOUR - 1)).toBe(1);
  expect(nextDelay(plain, 3, 24 * HOUR)).toBeUndefined();
  expect(nextDelay({ ...plain, giveUpMs: 1000 * HOUR }, 50, 0)).toBe(24 * HOUR);
});

test('secrets are those of the specification', () => {
  const secret = newSecret();
  expect(secretBytes(secret)).toHaveLength(32);
  expect(newSecret()).not.toBe(secret);
  const of = (length: number) => `whsec_${Buffer.alloc(length, 7).toString('base64')}`;
  expect([23, 24, 64, 65].map(length => secretBytes(of(length)) !== undefined)).toEqual([false, true, true, false]);
  for (const wrong of ['', 'whsec_', secret.slice(6), `${secret} `, `whsec_!${of(24).slice(7)}`])
    expect(secretBytes(wrong)).toBeUndefined();
});

test('the client and the library of the specification accept the same requests', async () => {
  const secret = newSecret();
  const body = JSON.stringify({ type: 'cairn.test', timestamp: 'now', data: { text: 'ä ✓' } });
  const now = Date.now();
  const sign = (own: string, at = now) => signedHeaders(secretBytes(own)!, 'msg_1', body, at);
  const accepts = async (headers: Record<string, string>, given: string | string[] = secret, text = body) => {
    const [first] = [given].flat();
    const library = () => new Webhook(first!).verify(text, headers);
    try {
      await verifyWebhook(text, headers, given);
    } catch (error) {
      expect(error).toBeInstanceOf(WebhookError);
      expect(library).toThrow();
      return (error as Error).message;
    }
    if (!Array.isArray(given)) expect(library()).toEqual(JSON.parse(text));
    return true;
  };
  const headers = sign(secret);
  expect(await accepts(headers)).toBe(true);
  expect(await verifyWebhook(Buffer.from(body), new Headers(headers), secret)).toEqual(JSON.parse(body));
  const old = newSecret();
  expect(await accepts(headers, [old, secret])).toBe(true);
  const both = `${sign(old)['webhook-signature']} ${headers['webhook-signature']}`;
  expect(await accepts({ ...headers, 'webhook-signature': `v1a,xyz ${both}` })).toBe(true);

  expect(await accepts(headers, old)).toBe('no signature of the request fits');
  expect(await accepts(headers, secret, body.replace('now', 'new'))).toBe('no signature of the request fits');
  expect(await accepts({ ...headers, 'webhook-id': 'msg_2' })).toBe('no signature of the request fits');
  expect(await accepts({ ...headers, 'webhook-signature': 'v1,AAAA v2,BB =' })).toBe(
    'no signature of the request fits',
  );
  expect(await accepts(sign(secret, now - 6 * MINUTE))).toContain('too far from the clock');
  expect(await accepts(sign(secret, now + 6 * MINUTE))).toContain('too far from the clock');
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    const { [name]: _left, ...others } = headers as Record<string, string>;
    expect(await accepts(others)).toBe(`the header ${name} is missing`);
  }
  expect(await accepts({ ...headers, 'webhook-timestamp': 'soon' })).toContain('not a time');
  await expect(verifyWebhook(body, headers, 'secret')).rejects.toThrow(TypeError);
  const late = { toleranceSeconds: 600, now: now + 6 * MINUTE };
  expect(await verifyWebhook(body, headers, secret, late)).toMatchObject({ type: 'cairn.test' });
});

test('a secret opens with its key and for its hook only', () => {
  const box = new SecretBox(Buffer.alloc(32, 1));
  const other = new SecretBox(Buffer.alloc(32, 2));
  const sealed = box.seal('whsec_abc', 'hook');
  expect(box.open(sealed, 'hook')).toBe('whsec_abc');
  expect(box.open(sealed, 'other')).toBeUndefined();
  expect(other.open(sealed, 'hook')).toBeUndefined();
  expect(box.open(sealed.subarray(0, 20), 'hook')).toBeUndefined();
  for (const at of [0, 15, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    expect(box.open(changed, 'hook')).toBeUndefined();
  }
  expect(box.seal('whsec_abc', 'hook')).not.toEqual(sealed);
  expect(box.id).not.toEqual(other.id);
});

test('without a setting the key is a file of the data folder that processes share', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-key-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  const dataDir = join(folder, 'data');
  const open = () => openSecretKeys({ webhookKey: undefined, dataDir });
  expect(await open().find()).toBeUndefined();
  const boxes = await Promise.all([open(), open(), open()].map(keys => keys.findOrMake()));
  expect(new Set(boxes.map(({ id }) => id.toString('hex'))).size).toBe(1);
  expect((await open().find())!.open(boxes[0]!.seal('whsec_abc', 'hook'), 'hook')).toBe('whsec_abc');
  const file = join(dataDir, 'webhook.key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  await writeFile(file, 'nonsense');
  await expect(open().find()).rejects.toThrow('webhook.key does not hold 64 hex digits');
});
