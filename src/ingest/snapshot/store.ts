/** A folder or a bucket that holds snapshots: objects with a name and bytes. An object is there whole or not at all. */
export type Store = {
  /** The address for messages; it holds no secret. */
  readonly url: string;
  /** Names of the objects directly below a folder, without the folder, in any order. */
  list(folder: string): Promise<string[]>;
  /** Undefined if there is no such object. */
  read(name: string): Promise<Buffer | undefined>;
  write(name: string, bytes: Buffer): Promise<void>;
  /** True if the object is there and has this size; a folder also compares the bytes. */
  has(name: string, bytes: Buffer): Promise<boolean>;
  close(): void;
};

export type StoreOptions = {
  /** URL of an S3-compatible server; undefined for that of Amazon. */
  s3Endpoint: string | undefined;
  s3Region: string;
};
