import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts secrets, so that a copy of the database does not give them away. */
export class SecretBox {
  readonly #key: Buffer;
  /** Tells this key from others, and nothing else of it. */
  readonly id: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
    this.id = createHash('sha256').update('cairn webhook key').update(key).digest().subarray(0, 8);
  }

  /** Encrypts the secret of the hook with this name; it cannot be decrypted as that of another one. */
  seal(secret: string, name: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(name));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** The secret; undefined if it was encrypted with another key, for another hook, or was changed since. */
  open(sealed: Buffer, name: string): string | undefined {
    const head = NONCE_BYTES + TAG_BYTES;
    if (sealed.length < head) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#key, sealed.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(name))
      .setAuthTag(sealed.subarray(NONCE_BYTES, head));
    const text = decipher.update(sealed.subarray(head), undefined, 'utf8');
    try {
      return text + decipher.final('utf8');
    } catch {
      // The tag does not fit: there is no other reason.
      return undefined;
    }
  }
}

/** Where the key of secrets comes from. */
export type SecretKeys = {
  /** The key; undefined while there is none. */
  find(): Promise<SecretBox | undefined>;
  /** The key; a new one is written to the data folder if there is none. */
  findOrMake(): Promise<SecretBox>;
};

export type SecretKeyOptions = {
  /** 64 hex digits; without it the key is in a file of the data folder. */
  webhookKey: string | undefined;
  dataDir: string;
};

const FILE = 'webhook.key';

/** Opens the key of the setting, or of the file in the data folder. */
export function openSecretKeys({ webhookKey, dataDir }: SecretKeyOptions): SecretKeys {
  let known = webhookKey === undefined ? undefined : new SecretBox(Buffer.from(webhookKey, 'hex'));
  const path = join(dataDir, FILE);
  const find = async () => {
    known ??= await readKeyFile(path);
    return known;
  };
  const findOrMake = async () => {
    const found = await find();
    if (found) return found;
    await mkdir(dataDir, { recursive: true });
    await writeKeyFile(path);
    return (await find())!;
  };
  return { find, findOrMake };
}

async function readKeyFile(path: string): Promise<SecretBox | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (!/^[0-9a-f]{64}\s*$/.test(text)) throw new UsageError(`${path} does not hold 64 hex digits`);
  return new SecretBox(Buffer.from(text.trim(), 'hex'));
}

/** Writes a new key whole, or leaves the file that another process has written meanwhile. */
async function writeKeyFile(path: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
}
