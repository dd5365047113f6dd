import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Store } from './store.ts';

/** Snapshots in a folder. Files are synced to disk before they get their name. */
export class FolderStore implements Store {
  readonly url: string;
  readonly #made = new Set<string>();

  constructor(folder: string) {
    this.url = resolve(folder);
  }

  async list(folder: string): Promise<string[]> {
    const entries = await orUndefined(readdir(join(this.url, folder), { withFileTypes: true }));
    return (entries ?? []).filter(entry => entry.isFile()).map(entry => entry.name);
  }

  async read(name: string): Promise<Buffer | undefined> {
    return await orUndefined(readFile(join(this.url, name)));
  }

  async write(name: string, bytes: Buffer): Promise<void> {
    const path = join(this.url, name);
    const folder = dirname(path);
    if (!this.#made.has(folder)) {
      await mkdir(folder, { recursive: true });
      this.#made.add(folder);
    }
    const draft = `${path}.${randomUUID()}`;
    try {
      const file = await open(draft, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    const parent = await open(folder);
    await parent.sync().finally(() => parent.close());
  }

  async has(name: string, bytes: Buffer): Promise<boolean> {
    return (await this.read(name))?.equals(bytes) === true;
  }

  close(): void {}
}

async function orUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
