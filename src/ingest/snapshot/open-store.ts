import { fileURLToPath } from 'node:url';
import { UsageError } from '../../errors.ts';
import { FolderStore } from './folder-store.ts';
import type { Store, StoreOptions } from './store.ts';

/** Address of a store, and the snapshot in it that `#NAME` selects; undefined means the newest. */
export type SnapshotAddress = { store: string; name: string | undefined };

/** Splits `URL#NAME`. */
export function parseAddress(address: string): SnapshotAddress {
  const at = address.lastIndexOf('#');
  if (at < 0) return { store: address, name: undefined };
  const name = address.slice(at + 1);
  if (!/^[\w.-]+$/.test(name)) throw new UsageError(`${name} is not the name of a snapshot: see cairn snapshot list`);
  return { store: address.slice(0, at), name };
}

/** Opens `s3://bucket/prefix`, `file:///folder` or the path of a folder. */
export async function openStore(address: string, options: StoreOptions): Promise<Store> {
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(address) ?? [];
  if (scheme === undefined) return new FolderStore(address);
  if (scheme === 'file') return new FolderStore(fileURLToPath(address));
  const [, bucket, prefix = ''] = /^s3:\/\/([\w.-]+)(?:\/([^?#]*))?$/.exec(address) ?? [];
  if (bucket === undefined) {
    throw new UsageError(`${address} is not understood: expected s3://BUCKET/PREFIX or the path of a folder`);
  }
  const { S3Store } = await loadS3Store(address);
  return new S3Store({ bucket, prefix: prefix.replace(/\/+$/, ''), ...options });
}

/** The S3 client has 26 packages and 22 MB, so it is installed only where snapshots are in a bucket. */
async function loadS3Store(address: string) {
  try {
    return await import('./s3-store.ts');
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(`${address} needs an optional package: npm install @aws-sdk/client-s3@3`, { cause: error });
  }
}
