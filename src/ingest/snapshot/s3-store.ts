import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import { UsageError } from '../../errors.ts';
import type { Store, StoreOptions } from './store.ts';

const CONNECT_MS = 5000;
/** Milliseconds without a byte after which a request is sent again. */
const SILENT_MS = 30_000;
const ATTEMPTS = 5;

export type S3StoreOptions = StoreOptions & { bucket: string; prefix: string };

/** Snapshots in a bucket of an S3-compatible server. Credentials come from the standard variables and files of AWS. */
export class S3Store implements Store {
  readonly url: string;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor({ bucket, prefix, s3Endpoint, s3Region }: S3StoreOptions) {
    this.url = `s3://${bucket}${prefix && `/${prefix}`}`;
    this.#bucket = bucket;
    this.#prefix = prefix && `${prefix}/`;
    this.#client = new S3Client({
      region: s3Region,
      // Few servers other than Amazon's have a host name for each bucket.
      ...(s3Endpoint !== undefined && { endpoint: s3Endpoint, forcePathStyle: true }),
      maxAttempts: ATTEMPTS,
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENT_MS },
      // Chunks have checksums of their own, and many servers do not know those of the newest API.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async list(folder: string): Promise<string[]> {
    const prefix = `${this.#prefix}${folder}/`;
    const names: string[] = [];
    for (let token: string | undefined; ; ) {
      const page = await this.#named(
        this.#client.send(
          new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, Delimiter: '/', ContinuationToken: token }),
        ),
      );
      for (const { Key } of page.Contents ?? []) if (Key !== undefined) names.push(Key.slice(prefix.length));
      token = page.NextContinuationToken;
      if (token === undefined) return names;
    }
  }

  async read(name: string): Promise<Buffer | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { Body } = await this.#client.send(new GetObjectCommand(this.#object(name)));
        return Buffer.from(await Body!.transformToByteArray());
      } catch (error) {
        if (isMissing(error)) return undefined;
        // The client repeats a request that fails, but not one whose body ends early.
        if (isRefused(error) || attempt === ATTEMPTS) throw this.#describe(error);
      }
    }
  }

  async write(name: string, bytes: Buffer): Promise<void> {
    await this.#named(this.#client.send(new PutObjectCommand({ ...this.#object(name), Body: bytes })));
  }

  async has(name: string, bytes: Buffer): Promise<boolean> {
    try {
      const { ContentLength } = await this.#client.send(new HeadObjectCommand(this.#object(name)));
      return ContentLength === bytes.length;
    } catch (error) {
      if (isMissing(error)) return false;
      throw this.#describe(error);
    }
  }

  close(): void {
    this.#client.destroy();
  }

  #object(name: string) {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${name}` };
  }

  async #named<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.#describe(error);
    }
  }

  #describe(error: unknown): Error {
    const { name, message } = error as Error;
    return new UsageError(`${this.url}: ${message === name ? name : `${name}: ${message}`}`, { cause: error });
  }
}

const statusOf = (error: unknown) => (error as Partial<S3ServiceException>).$metadata?.httpStatusCode;

/** A missing bucket is not a missing object. */
const isMissing = (error: unknown) => statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket';

const isRefused = (error: unknown) => {
  const status = statusOf(error);
  return status !== undefined && status >= 400 && status < 500;
};
